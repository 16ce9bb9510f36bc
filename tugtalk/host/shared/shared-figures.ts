/** The figures of a host that shares a database. */
import type { BellCounts } from "../journal/postgres/bells.ts";

export type SharedFigures = {
  /** The number of sessions that the host holds. */
  readonly held: number;
  /** Whether the database answers. */
  readonly isReached: boolean;
  /** For how long the host may act for its sessions. */
  readonly leaseSeconds: number;
  /** The number of leases that ended without a renewal. */
  readonly leasesLost: number;
  /** The number of sessions that were taken from lost hosts. */
  readonly takeovers: number;
  readonly bells: BellCounts;
};
