/** The rows of all sessions in the shared database, as this host has read them. */
import { checkedRow, listedRow } from "../journal/damage.ts";
import type { SessionRow } from "../journal/journal.ts";
import type { PostgresReader } from "../journal/postgres/postgres-reader.ts";
import { Rounds } from "./rounds.ts";

/** A session at the time of the read: its row, the number of its last entry, and its holder. */
export type KnownSession = {
  readonly row: SessionRow;
  readonly seq: number;
  readonly host: string | undefined;
};

type FoundRow = {
  readonly id: string;
  readonly row: string;
  readonly seq: number;
  readonly host: string | null;
};

/**
 * The part of the table that was read: the rows that this snapshot sees, and so all from before its oldest
 * open transaction.
 */
type Seen = { readonly snapshot: string | null; readonly oldest: string };

/** Every transaction has a greater number. */
const NOTHING: Seen = { snapshot: null, oldest: "0" };

export class SessionRows {
  readonly #reader: Pick<PostgresReader, "query">;
  readonly #onChange: (id: string, known: KnownSession | undefined) => void;
  readonly #known = new Map<string, KnownSession & { readonly text: string }>();
  readonly #rounds = new Rounds(() => this.#look());
  #seen = NOTHING;

  /** `onChange` is called with each new or changed row, and without a row for a deleted session. */
  constructor(
    reader: Pick<PostgresReader, "query">,
    onChange: (id: string, known: KnownSession | undefined) => void,
  ) {
    this.#reader = reader;
    this.#onChange = onChange;
  }

  get(id: string): KnownSession | undefined {
    return this.#known.get(id);
  }

  all(): readonly KnownSession[] {
    return [...this.#known.values()];
  }

  /**
   * Resolves when this host knows all rows that were written before the call. Rejects with a `JournalError`.
   */
  refresh(): Promise<void> {
    return this.#rounds.ask();
  }

  async #look(): Promise<void> {
    // Read before the rows: a transaction that is open at this time may commit after the read of the rows,
    // which the next read covers.
    const [head] = await this.#reader.query<Seen & { readonly count: number }>(
      `SELECT pg_current_snapshot()::text AS snapshot,
       pg_snapshot_xmin(pg_current_snapshot())::text AS oldest,
       (SELECT count(*) FROM sessions)::float8 AS count`,
    );
    // An open transaction anywhere on the server holds `oldest` back, but not the snapshot.
    const rows = await this.#reader.query<FoundRow>(
      `SELECT id, row, seq::float8 AS seq, host FROM sessions
       WHERE changed_in >= $1::text::xid8
       AND ($2::text IS NULL OR NOT pg_visible_in_snapshot(changed_in, $2::text::pg_snapshot))
       ORDER BY number`,
      [this.#seen.oldest, this.#seen.snapshot],
    );
    for (const row of rows) this.#set(row);
    if (head !== undefined && head.count < this.#known.size) await this.#forgetDeleted();
    this.#seen = head ?? NOTHING;
  }

  #set({ id, row: text, seq, host }: FoundRow): void {
    const before = this.#known.get(id);
    if (before?.text === text && before.host === (host ?? undefined)) return;
    const known = {
      row: listedRow(id, () => checkedRow(id, text)),
      text,
      seq,
      host: host ?? undefined,
    };
    this.#known.set(id, known);
    this.#onChange(id, known);
  }

  async #forgetDeleted(): Promise<void> {
    const rows = await this.#reader.query<{ id: string }>("SELECT id FROM sessions");
    const kept = new Set(rows.map(({ id }) => id));
    for (const id of [...this.#known.keys()]) {
      if (kept.has(id)) continue;
      this.#known.delete(id);
      this.#onChange(id, undefined);
    }
  }
}
