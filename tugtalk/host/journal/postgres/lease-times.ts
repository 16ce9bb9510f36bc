/** The times of a lease. All count from the last renewal that was granted. */

export type LeaseSettings = {
  readonly leaseMs: number;
  /** After how long without a word of its host a bridge ends itself, and what it takes to do so. */
  readonly bridgeEndMs: number;
};

/** Renewed more often than this where the lease is long, so that a takeover need not wait for it. */
const MAX_RENEWAL_MS = 2_500;
/** The rest of that time is for the answer. */
const ASKED_AT = 0.8;

/** In which time a lease is to be renewed. */
export function renewalMs(leaseMs: number): number {
  return Math.min(leaseMs / 3, MAX_RENEWAL_MS);
}

/** When the next renewal is asked for. */
export function askedAfterMs({ leaseMs }: LeaseSettings): number {
  return renewalMs(leaseMs) * ASKED_AT;
}

/** From when on other hosts may take what the host has held. */
export function goneMs({ leaseMs, bridgeEndMs }: LeaseSettings): number {
  return Math.max(leaseMs, renewalMs(leaseMs) + bridgeEndMs);
}
