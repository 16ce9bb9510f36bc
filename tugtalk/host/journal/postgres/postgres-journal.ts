/**
 * The journal in a PostgreSQL database, which many hosts share. One host at a time holds a session: only that
 * host writes it, and each commit names the fence with which the host took the session. `postgres-schema.ts`
 * has the tables, `connection.ts` the connections.
 */
import type { CommitFigures } from "../commit-figures.ts";
import { checkedRow, listedRow } from "../damage.ts";
import type { Commit, Journal, JournalEntry, SessionRow } from "../journal.ts";
import { JournalError, LostSessionError, UnreachableJournalError } from "../journal-error.ts";
import { type Head, keptBytes, toEntry } from "../rows.ts";
import type { JournalOptions } from "../sqlite-journal.ts";
import {
  bringsEntriesAlone,
  type EntryCommits,
  entryCommitValues,
  gatherEntryCommits,
  type WrittenHead,
} from "./entry-commits.ts";
import { commitValues, lineValues } from "./postgres-commit.ts";
import { PostgresReader, tried, unknown } from "./postgres-reader.ts";
import {
  COMMIT,
  COMMIT_ENTRIES,
  COMMIT_WITH_LINES,
  DELETE,
  RELEASE,
  SELECT_HEAD,
  TAKE,
} from "./postgres-statements.ts";
import { trim } from "./postgres-trim.ts";
import { answered, type Pool } from "./replaceable-pool.ts";

const MAX_SESSION_BYTES = 256 * 1024 * 1024;
/** The first wait before a commit is tried again, and the longest. */
const RETRY_MS = 50;
const MAX_RETRY_MS = 1_000;
/** After so many tries the host reports why commits wait. */
const TOLD_TRY = 4;
/** The fence of a session that nobody has taken since it was created. */
const FIRST_FENCE = 1;
/** The limit for a trim, which deletes a great part of a session: a second try would take as long. */
const MAX_TRIM_MS = 60_000;

/**
 * A session that this host holds: the fence with which it was taken, and the numbers of its last entry and of
 * its last commit.
 */
type Hold = { readonly fence: number; seq: number; commits: number };

export type SharedJournalOptions = Omit<JournalOptions, "onClose"> & {
  /** The id of this host in the table of living hosts. Each lease has another id. */
  readonly hostId: () => string;
  /** This host does not hold the session any more. Called before the waiting commits fail. */
  readonly onLost?: (id: string, isUnsure: boolean) => void;
  readonly onCommit?: (id: string, change: Commit) => void;
  /**
   * Commits wait, since the database takes none although it answers. Called once, until a commit is written
   * again.
   */
  readonly onHeldUp?: (error: unknown) => void;
};

export class PostgresJournal extends PostgresReader implements Journal {
  readonly #pool: Pool;
  readonly #hostId: () => string;
  readonly #now: () => number;
  readonly #maxSessionBytes: number;
  readonly #figures: CommitFigures | undefined;
  readonly #onLost: (id: string, isUnsure: boolean) => void;
  readonly #onCommit: (id: string, change: Commit) => void;
  readonly #onHeldUp: (error: unknown) => void;
  readonly #entryCommits: EntryCommits;
  readonly #held = new Map<string, Hold>();
  readonly #unwanted = new Set<string>();
  /** Sessions that are trimmed before their next entries. */
  readonly #tooLong = new Set<string>();
  #isHeldUp = false;

  constructor(pool: Pool, options: SharedJournalOptions) {
    super(pool);
    this.#pool = pool;
    this.#entryCommits = gatherEntryCommits((commits) =>
      this.query(COMMIT_ENTRIES, entryCommitValues(pool.sql, commits)),
    );
    this.#hostId = options.hostId;
    this.#now = options.now ?? Date.now;
    this.#maxSessionBytes = options.maxSessionBytes ?? MAX_SESSION_BYTES;
    this.#figures = options.figures;
    this.#onLost = options.onLost ?? (() => {});
    this.#onCommit = options.onCommit ?? (() => {});
    this.#onHeldUp = options.onHeldUp ?? (() => {});
  }

  /** The sessions that this host holds. */
  get held(): readonly string[] {
    return [...this.#held.keys()];
  }

  holds(id: string): boolean {
    return this.#held.has(id);
  }

  /**
   * Takes a session that no host holds, or whose host `gone` has no living Claude, or that this host took
   * without getting the answer. Gives its row; a damaged row can only be deleted. Undefined if another host
   * has the session, or if there is none.
   */
  async take(id: string, gone?: string): Promise<SessionRow | undefined> {
    const host = this.#hostId();
    const [taken] = await this.query<Hold & { row: string }>(TAKE, [id, host, gone ?? null]);
    // If the lease ended before the answer came, this host holds nothing.
    if (taken === undefined || host !== this.#hostId()) return undefined;
    const { row, ...hold } = taken;
    this.#held.set(id, hold);
    return listedRow(id, () => checkedRow(id, row));
  }

  /** This host does not hold the session until it takes it again. */
  giveUp(id: string): void {
    this.#lose(id);
  }

  /** Other hosts may take the session from now on. */
  async release(id: string): Promise<void> {
    const hold = this.#held.get(id);
    this.#held.delete(id);
    if (hold !== undefined) await this.query(RELEASE, [id, hold.fence]);
  }

  /** The lease of this host is over: it holds no session any more, and waiting commits fail. */
  loseAll(): void {
    for (const id of this.held) this.#lose(id);
  }

  /** `isUnsure`: a commit that is on its way may have been written. */
  #lose(id: string, isUnsure = true): LostSessionError {
    if (this.#held.delete(id)) this.#onLost(id, isUnsure);
    this.#tooLong.delete(id);
    return new LostSessionError(id);
  }

  async create(row: SessionRow): Promise<void> {
    const statement = `INSERT INTO sessions (id, request_id, row, epoch, host, fence)
      VALUES ($1, $2, $3, $4, $5, ${FIRST_FENCE}) ON CONFLICT (id) DO NOTHING`;
    const { id, requestId = null } = row;
    // Marked as held before the database has it, so that this host does not take it a second time.
    this.#held.set(id, { fence: FIRST_FENCE, seq: 0, commits: 0 });
    const values = [id, requestId, JSON.stringify(row), this.#now(), this.#hostId()];
    try {
      await this.query(statement, values).catch(async (error: unknown) => {
        if (!(error instanceof UnreachableJournalError)) throw error;
        // The connection may have broken off, and the row may be there.
        await this.query(statement, values);
      });
    } catch (error) {
      this.#held.delete(id);
      // A session with a request id stays: the client repeats its request, and any host then finds the
      // session.
      if (error instanceof UnreachableJournalError && requestId === null) this.#unwanted.add(id);
      throw error;
    }
  }

  /** Whether this session's creation failed, although its row may be in the database. */
  isUnwanted(id: string): boolean {
    return this.#unwanted.has(id);
  }

  /** Deletes the row of an unwanted session. */
  async discard(id: string): Promise<void> {
    await this.query(DELETE, [id, FIRST_FENCE]);
    this.#unwanted.delete(id);
  }

  async commit(id: string, change: Commit): Promise<readonly JournalEntry[]> {
    const beganAt = performance.now();
    const { entries = [] } = change;
    // Built before the first wait, so that values that are no JSON are refused at once.
    const write = this.#writer(id, change);
    const hold = await this.#holdOf(id);
    if (entries.length > 0 && this.#tooLong.has(id)) await this.#trim(id, hold);
    const { fence, seq: before, commits } = hold;
    const head = await this.#persist(id, hold, async (isRepeated) => {
      const written = await write(fence, commits);
      return written ?? this.#writtenBefore(id, hold, isRepeated);
    });
    hold.seq = before + entries.length;
    hold.commits = commits + 1;
    this.#figures?.add(beganAt, entries.length);
    this.#onCommit(id, change);
    if (head.kept > this.#maxSessionBytes) this.#tooLong.add(id);
    return entries.map((entry, index) => toEntry(head, { ...entry, seq: before + index + 1 }));
  }

  /** Writes a commit after the commit with this number. Gives nothing if the number or the fence differs. */
  #writer(
    id: string,
    change: Commit,
  ): (fence: number, commits: number) => Promise<WrittenHead | undefined> {
    if (bringsEntriesAlone(change)) {
      const { entries = [] } = change;
      return (fence, commits) => this.#entryCommits.add({ id, fence, commits, entries });
    }
    const values = commitValues(this.#pool.sql, id, change, this.#now());
    const { transcript = [] } = change;
    const lines = transcript.length === 0 ? [] : lineValues(this.#pool.sql, transcript);
    const statement = lines.length === 0 ? COMMIT : COMMIT_WITH_LINES;
    return async (fence, commits) =>
      (await this.query<WrittenHead>(statement, [...values, fence, commits, ...lines]))[0];
  }

  async #holdOf(id: string): Promise<Hold> {
    const hold = this.#held.get(id);
    if (hold !== undefined) return hold;
    const [head] = await this.query<FencedHead>(SELECT_HEAD, [id]);
    throw head === undefined ? unknown(id) : new LostSessionError(id);
  }

  /**
   * Finds out why a commit has written nothing: an earlier try, whose answer was lost, may have written it.
   */
  async #writtenBefore(id: string, hold: Hold, isRepeated: boolean): Promise<WrittenHead> {
    const [head] = await this.query<FencedHead>(SELECT_HEAD, [id]);
    // Another host has the session or has deleted it, or this host has taken it again.
    if (head?.fence !== hold.fence)
      throw this.#held.get(id) === hold ? this.#lose(id, isRepeated) : new LostSessionError(id);
    if (isRepeated && head.commits === hold.commits + 1)
      return { epoch: head.epoch, kept: keptBytes(head) };
    throw new JournalError(
      `the journal of the session ${id} has other commits than this host made`,
    );
  }

  /** Tries again as long as the database cannot be reached and the host holds the session. */
  async #persist<Value>(
    id: string,
    hold: Hold,
    write: (isRepeated: boolean) => Promise<Value>,
  ): Promise<Value> {
    for (let tries = 0; ; tries += 1) {
      try {
        const written = await write(tries > 0);
        this.#isHeldUp = false;
        return written;
      } catch (error) {
        if (!(error instanceof UnreachableJournalError)) throw error;
        if (tries === TOLD_TRY) this.#tellHeldUp(error);
        await Bun.sleep(Math.min(RETRY_MS * 2 ** tries, MAX_RETRY_MS));
        if (this.#held.get(id) !== hold) throw new LostSessionError(id);
      }
    }
  }

  #tellHeldUp(error: UnreachableJournalError): void {
    if (this.#isHeldUp || this.#pool.isAway === true) return;
    this.#isHeldUp = true;
    this.#onHeldUp(error);
  }

  async #trim(id: string, hold: Hold): Promise<void> {
    const trimmed = { id, fence: hold.fence, maxBytes: this.#maxSessionBytes, now: this.#now() };
    await this.#persist(id, hold, () =>
      tried(answered(this.#pool, (sql) => trim(sql, trimmed), MAX_TRIM_MS)),
    );
    this.#tooLong.delete(id);
  }

  async delete(id: string): Promise<void> {
    const hold = this.#held.get(id);
    const [known] = hold === undefined ? await this.query(SELECT_HEAD, [id]) : [];
    if (known !== undefined) throw new LostSessionError(id);
    if (hold === undefined) return;
    const { fence } = hold;
    const [gone] = await this.query(DELETE, [id, fence]);
    if (gone === undefined) throw this.#lose(id);
    this.#held.delete(id);
    this.#tooLong.delete(id);
  }

  async trust(place: string, dir: string, grants: readonly string[]): Promise<void> {
    const statement = `INSERT INTO trusted_dirs VALUES ($1, $2, $3)
      ON CONFLICT (place, dir) DO UPDATE SET grants = excluded.grants`;
    await this.query(statement, [place, dir, JSON.stringify(grants)]);
  }

  async backUp(): Promise<void> {
    throw new JournalError("the journal is in PostgreSQL: pg_dump makes a backup of it");
  }

  /** The host closes the connections, which serve all its work with the database. */
  close(): void {}
}

type FencedHead = Head & { readonly fence: number; readonly commits: number };
