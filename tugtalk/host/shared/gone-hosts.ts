/**
 * Hosts that are gone: by the database's clock their leases are over, and their bridges must have ended
 * since. A step of that clock makes every host look gone. So this host also watches the rows: a host that
 * renews its row lives, whatever the time.
 */
import { OPTION_DEFAULTS } from "../../src/messages/option-defaults.ts";
import { goneMs, type LeaseSettings, renewalMs } from "../journal/postgres/lease-times.ts";
import type { PostgresReader } from "../journal/postgres/postgres-reader.ts";

/** The time since which a host has not renewed its row, by the clock of this process. */
type Silence = { readonly goneAt: string; readonly since: number };

/** How much of the time between two renewals counts as watched at the first look. */
const FIRST_LOOK = 0.9;

export class GoneHosts {
  readonly #reader: Pick<PostgresReader, "query">;
  readonly #lease: LeaseSettings;
  readonly #now: () => number;
  #seen: ReadonlyMap<string, Silence> | undefined;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(
    reader: Pick<PostgresReader, "query">,
    lease: LeaseSettings,
    now: () => number = () => performance.now(),
  ) {
    this.#reader = reader;
    this.#lease = lease;
    this.#now = now;
  }

  /** Forgets the hosts that are gone. Called about as often as hosts renew their leases. */
  async forget(): Promise<void> {
    const rows = await this.#reader.query<{ id: string; goneAt: string }>(HOSTS);
    const now = this.#now();
    const renewal = renewalMs(this.#lease.leaseMs);
    // A row may have been renewed this long before the look.
    const enough = goneMs(this.#lease) - renewal;
    // An earlier host has been silent for an unknown time.
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

/**
 * A session may give its Claude more than the default time to end, in each of two steps. A row may be no
 * JSON.
 */
const FORGET_GONE = `
  DELETE FROM hosts WHERE id = $2 AND ${GONE_AT} = $3 AND gone_at < clock_timestamp()
  AND gone_at < clock_timestamp() - (
    SELECT 2 * greatest(0, max(substring(row FROM '"shutdown_grace_ms":([0-9]{1,9})')::float8) - $1::float8)
      * interval '1 millisecond'
    FROM sessions WHERE host = hosts.id
  )`;
