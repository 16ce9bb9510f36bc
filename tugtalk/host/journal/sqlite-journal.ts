/**
 * The journal in one SQLite file, which answers at once. `schema.ts` has its tables, `database.ts` its lock
 * and its modes.
 */
import type { Database } from "bun:sqlite";
import type { EntryPage } from "../../client/entry-pages.ts";
import type { Cursor } from "../../client/host-api.ts";
import { parseJson } from "../../src/base/json.ts";
import { backUp } from "./backup.ts";
import { writeCommit } from "./commit.ts";
import type { CommitFigures } from "./commit-figures.ts";
import { costsSince, keepCosts } from "./costs.ts";
import { checkedRow, entriesUpTo, isState, listedRow, readOf } from "./damage.ts";
import { journalFailure, MEMORY, openDatabase } from "./database.ts";
import { emptyLog, withoutRoom } from "./full-disk.ts";
import { Indexer } from "./indexer.ts";
import type {
  Commit,
  CostRow,
  Journal,
  JournalEntry,
  JournalRange,
  LoadedSession,
  MessageEndStatus,
  ReplyRow,
  SearchPage,
  SearchQuery,
  SessionRow,
  SessionSize,
  Snapshot,
} from "./journal.ts";
import { DamagedSessionError } from "./journal-error.ts";
import { Reserve } from "./reserve.ts";
import { endOf, fromJson, type Head, isGap, rangeOf } from "./rows.ts";
import { prepareStatements, type Statements } from "./statements.ts";
import { Sweeper, sweepPiece } from "./sweep.ts";
import { search, unindexedSessions } from "./text-index.ts";
import { ALL_TURNS } from "./text-statements.ts";
import { BEGINNING, filesOf, type LinePlace, type LineRow, upTo } from "./transcript-copy.ts";
import { trimmed } from "./trim.ts";
import { turnsBefore } from "./turn-page.ts";

const ALL_ENTRIES = Number.MAX_SAFE_INTEGER;
const MAX_SESSION_BYTES = 256 * 1024 * 1024;

export type JournalOptions = {
  /** The limit for the entries and turns of one session. The oldest ones beyond it are deleted. */
  readonly maxSessionBytes?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Records each commit. */
  readonly figures?: CommitFigures | undefined;
  /** Called when the journal is closed. */
  readonly onClose?: () => void;
};

export type LocalJournal = Journal & {
  /** Frees the room of deleted sessions at once. A journal that stays open frees it by itself. */
  sweep(): void;
};

/**
 * Opens the journal at `path`, or makes it; `:memory:` is kept in memory alone. Throws a `JournalLockedError`
 * if another host has it, and a `JournalError` if the file cannot be a journal.
 */
export function openJournal(path: string, options: JournalOptions = {}): LocalJournal {
  return new SqliteJournal(openDatabase(path), path, options);
}

/** The journal on an open database. */
export class SqliteJournal implements LocalJournal {
  readonly #db: Database;
  readonly #path: string;
  readonly #sql: Statements;
  readonly #now: () => number;
  readonly #maxSessionBytes: number;
  readonly #figures: CommitFigures | undefined;
  readonly #onClose: () => void;
  readonly #reserve: Reserve | undefined;
  readonly #sweeper: Sweeper;
  readonly #indexer: Indexer;
  readonly #commit: (id: string, change: Commit) => readonly JournalEntry[];
  readonly #delete: (session: number) => void;

  constructor(db: Database, path: string, options: JournalOptions = {}) {
    this.#db = db;
    this.#path = path;
    this.#sql = prepareStatements(db);
    this.#now = options.now ?? Date.now;
    this.#maxSessionBytes = options.maxSessionBytes ?? MAX_SESSION_BYTES;
    this.#commit = db.transaction((id: string, change: Commit) => this.#write(id, change));
    this.#delete = db.transaction((session: number) => this.#erase(session));
    this.#figures = options.figures;
    this.#onClose = options.onClose ?? (() => {});
    this.#reserve = path === MEMORY ? undefined : new Reserve(path);
    this.#sweeper = new Sweeper(db, () => this.sweep());
    this.#sweeper.wake();
    this.#indexer = new Indexer(db, this.#sql);
    this.#indexer.wake();
  }

  async sessions(): Promise<readonly SessionRow[]> {
    const found = this.#try(() => this.#sql.numbers.all({}));
    const inOrder = found.sort((one, other) => one.number - other.number);
    return inOrder.map(({ id }) => listedRow(id, () => this.#row(id)));
  }

  async sessionOfRequest(requestId: string): Promise<SessionRow | undefined> {
    const id = this.#sql.sessionOfRequest.get({ requestId })?.id;
    return id === undefined ? undefined : this.#row(id);
  }

  async create(row: SessionRow): Promise<void> {
    const { id, requestId = null } = row;
    const epoch = this.#now();
    const added = { id, requestId, row: JSON.stringify(row), epoch };
    this.#try(() => this.#sql.createSession.run(added));
  }

  async load(id: string): Promise<LoadedSession | undefined> {
    return readOf(id, () => {
      const head = this.#sql.head.get({ id });
      if (head === null) return undefined;
      const session = { session: head.number };
      return {
        row: checkedRow(id, head.row),
        cursor: endOf(head),
        attachments: new Map(
          this.#sql.attached.all(session).map(({ messageId, data }) => [messageId, fromJson(data)]),
        ),
      };
    });
  }

  async snapshot(id: string): Promise<Snapshot | undefined> {
    const { number: session, epoch, start_seq, start_turn } = this.#head(id);
    return readOf(id, () => {
      const found = this.#sql.snapshot.get({ session });
      if (found === null) return undefined;
      const state: unknown = parseJson(found.state);
      if (isState(state)) return { cursor: { epoch, seq: found.seq }, state };
      // The whole state also follows from the entries.
      if (start_seq === 0 && start_turn === 0) return undefined;
      throw new DamagedSessionError(id);
    });
  }

  async commit(id: string, change: Commit): Promise<readonly JournalEntry[]> {
    const beganAt = performance.now();
    const entries = this.#try(() => this.#commit(id, change));
    this.#figures?.add(beganAt, entries.length);
    this.#reserve?.keep();
    if (change.indexesState === true) this.#indexer.wake();
    return entries;
  }

  async delete(id: string): Promise<void> {
    const session = this.#numberOf(id);
    this.#try(() => withoutRoom(this.#db, this.#reserve, () => this.#delete(session)));
    this.#sweeper.wake();
  }

  async entriesAfter(
    id: string,
    after: Cursor,
    maxChars: number,
  ): Promise<readonly JournalEntry[] | "gap"> {
    return readOf(id, () => {
      const head = this.#sql.head.get({ id });
      if (head === null || isGap(head, after)) return "gap";
      const rows = this.#sql.entriesAfter.iterate({ session: head.number, seq: after.seq });
      return entriesUpTo(head, rows, maxChars);
    });
  }

  async range(id: string): Promise<JournalRange> {
    return rangeOf(this.#head(id));
  }

  async turnsBefore(id: string, key: string | undefined, limit: number): Promise<EntryPage> {
    return readOf(id, () => turnsBefore(this.#sql, this.#sql.head.get({ id }), key, limit));
  }

  async reply(id: string, clientId: string): Promise<ReplyRow | undefined> {
    const session = this.#numberOf(id);
    return readOf(id, () => rowValue(this.#sql.reply.get({ session, clientId })));
  }

  async messageEnd(id: string, messageId: string): Promise<MessageEndStatus | undefined> {
    return this.#sql.messageEnd.get({ session: this.#numberOf(id), messageId })?.status;
  }

  async transcriptAfter(
    id: string,
    conversation: string,
    after: LinePlace = BEGINNING,
    maxChars: number,
  ): Promise<readonly LineRow[]> {
    const session = this.#numberOf(id);
    const found = this.#sql.linesAfter.iterate({ session, ...after, ...filesOf(conversation) });
    return upTo(found, maxChars);
  }

  async search(query: SearchQuery): Promise<SearchPage> {
    return this.#try(() => search(this.#sql, query));
  }

  async unindexed(): Promise<readonly string[]> {
    return this.#try(() => unindexedSessions(this.#sql));
  }

  async sizes(): Promise<readonly SessionSize[]> {
    return this.#sql.sizes.all({});
  }

  async costs(since: number): Promise<readonly CostRow[]> {
    return costsSince(this.#sql, since);
  }

  async trustedGrants(place: string, dir: string): Promise<readonly string[] | undefined> {
    const row = this.#sql.trusted.get({ place, dir });
    return row === null ? undefined : fromJson(row.grants);
  }

  async trust(place: string, dir: string, grants: readonly string[]): Promise<void> {
    this.#try(() => this.#sql.trust.run({ place, dir, grants: JSON.stringify(grants) }));
  }

  sweep(): void {
    const sweepAll = () => {
      while (sweepPiece(this.#db)) {
        // The next piece.
      }
    };
    this.#try(() => withoutRoom(this.#db, this.#reserve, sweepAll));
    emptyLog(this.#db);
  }

  close(): void {
    this.#sweeper.stop();
    this.#indexer.stop();
    this.#sql.finalize();
    this.#db.close();
    this.#onClose();
  }

  async backUp(file: string): Promise<void> {
    try {
      this.sweep();
    } catch {
      // Deleted rows stay in a file that can only be read; they go when a host opens it for writing.
    }
    backUp(this.#db, file, this.#now());
  }

  #try<Result>(write: () => Result): Result {
    try {
      return write();
    } catch (error) {
      throw journalFailure(error, this.#path);
    }
  }

  #write(id: string, change: Commit): readonly JournalEntry[] {
    const head = this.#head(id);
    return writeCommit(this.#sql, change.entries?.length ? this.#trim(head) : head, change);
  }

  /** Runs only before new entries, since these bring the new epoch to the session. */
  #trim(head: Head): Head {
    const next = trimmed(this.#sql, head, this.#maxSessionBytes, this.#now());
    if (next !== head) this.#sweeper.wake();
    return next;
  }

  /** Deletes all but the entries and turns of a session. These may be many, and are left to the sweep. */
  #erase(session: number): void {
    this.#sql.addTrash.run({ session, seq: ALL_ENTRIES, turn: ALL_TURNS });
    keepCosts(this.#sql, session);
    for (const statement of this.#sql.deletes) statement.run({ session });
  }

  /** The number of a session; 0, which no row has, if the session does not exist. */
  #numberOf(id: string): number {
    return this.#sql.number.get({ id })?.number ?? 0;
  }

  /** The row of a session. Throws a `DamagedSessionError`. */
  #row(id: string): SessionRow {
    return readOf(id, () => checkedRow(id, this.#head(id).row));
  }

  #head(id: string): Head {
    const head = this.#sql.head.get({ id });
    if (head === null) throw new Error(`the journal has no session ${id}`);
    return head;
  }
}

function rowValue<Value>(found: { readonly row: string } | null): Value | undefined {
  return found === null ? undefined : fromJson(found.row);
}
