/**
 * Hosts that are gone: their leases are over, and their bridges must have ended since, by the clock of the database.
 * A step of that clock makes every host look so. Hence each host sees for itself, too, that another one is silent:
 * one whose row is renewed lives, whatever the time.
 */
import { OPTION_DEFAULTS } from "../../src/messages/option-defaults.ts";
import { goneMs, type LeaseSettings, renewalMs } from "../journal/postgres/lease-times.ts";
import type { PostgresReader } from "../journal/postgres/postgres-reader.ts";

/** Since when a host has not renewed its row, by the clock of this process. */
type Silence = { readonly goneAt: string; readonly since: number };

/** How much of the time between two renewals a host has looked on that has just begun. */
const FIRST_LOOK = 0.9;

export class GoneHosts {
  readonly #reader: Pick<PostgresReader, "query">;
  readonly #lease: LeaseSettings;
  readonly #now: () => number;
  #seen: ReadonlyMap<string, Silence> | undefined;

  /** `now`: milliseconds of a clock that only goes on. */
  constructor(
    reader: Pick<PostgresReader, "query">,
    lease: LeaseSettings,
    now: () => number = () => performance.now(),
  ) {
    this.#reader = reader;
    this.#lease = lease;
    this.#now = now;
  }

  /** Forgets those that are gone. Called about as often as hosts renew their leases. */
  async forget(): Promise<void> {
    const rows = await this.#reader.query<{ id: string; goneAt: string }>(HOSTS);
    const now = this.#now();
    const renewal = renewalMs(this.#lease.leaseMs);
    // A row may have been renewed so long before it was looked at.
    const enough = goneMs(this.#lease) - renewal;
    // A host that was there before this one has been silent for an unknown time.
    const first = this.#seen === undefined ? now - enough + renewal * FIRST_LOOK : now;
    const seen = rows.map(({ id, goneAt }) => {
      const known = this.#seen?.get(id);
      return [id, known?.goneAt === goneAt ? known : { goneAt, since: first }] as const;
    });
    this.#seen = new Map(seen);
    for (const [id, { goneAt, since }] of seen)
      if (now - since >= enough)
        await this.#reader.query(FORGET_GONE, [OPTION_DEFAULTS.shutdown_grace_ms, id, goneAt]);
  }
}

const GONE_AT = "extract(epoch FROM gone_at)::text";
const HOSTS = `SELECT id, ${GONE_AT} AS "goneAt" FROM hosts`;

/** A session may give its Claude more time to end than the default, in each of two steps. A row may be no JSON. */
const FORGET_GONE = `
  DELETE FROM hosts WHERE id = $2 AND ${GONE_AT} = $3 AND gone_at < clock_timestamp()
  AND gone_at < clock_timestamp() - (
    SELECT 2 * greatest(0, max(substring(row FROM '"shutdown_grace_ms":([0-9]{1,9})')::float8) - $1::float8)
      * interval '1 millisecond'
    FROM sessions WHERE host = hosts.id
  )`;
