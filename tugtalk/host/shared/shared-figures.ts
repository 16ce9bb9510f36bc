/** The figures of a host that shares a database. */
import type { BellCounts } from "../journal/postgres/bells.ts";

export type SharedFigures = {
  /** How many sessions it holds. */
  readonly held: number;
  /** Whether the database answers. */
  readonly isReached: boolean;
  /** For how long it may act for what it holds. */
  readonly leaseSeconds: number;
  /** How many of its leases were over unrenewed. */
  readonly leasesLost: number;
  /** How many sessions it has taken from hosts that were lost. */
  readonly takeovers: number;
  readonly bells: BellCounts;
};
