/** The times of a lease. All of them count from the last granted renewal. */

export type LeaseSettings = {
  readonly leaseMs: number;
  /**
   * The time until a bridge without a host has ended: its wait for the host, and the time that its end takes.
   */
  readonly bridgeEndMs: number;
};

/** The longest time between renewals, so that a takeover need not wait for a long lease. */
const MAX_RENEWAL_MS = 2_500;
/** The part of the renewal time after which the renewal is requested. The rest is for the answer. */
const ASKED_AT = 0.8;

/** The time within which a lease is to be renewed. */
export function renewalMs(leaseMs: number): number {
  return Math.min(leaseMs / 3, MAX_RENEWAL_MS);
}

/** The time after which the next renewal is requested. */
export function askedAfterMs({ leaseMs }: LeaseSettings): number {
  return renewalMs(leaseMs) * ASKED_AT;
}

/** The time after which other hosts may take the sessions of a host. */
export function goneMs({ leaseMs, bridgeEndMs }: LeaseSettings): number {
  return Math.max(leaseMs, renewalMs(leaseMs) + bridgeEndMs);
}
