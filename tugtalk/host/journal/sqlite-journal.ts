/** The journal in one SQLite file. `schema.ts` has its tables, `database.ts` its lock and its modes. */
import type { Database } from "bun:sqlite";
import type { EntryPage } from "../../client/entry-pages.ts";
import type { Cursor } from "../../client/host-api.ts";
import { openDatabase } from "./database.ts";
import type {
  Commit,
  Journal,
  JournalEntry,
  LoadedSession,
  PromptRow,
  ReplyRow,
  SessionRow,
  SessionSize,
} from "./journal.ts";
import {
  changedRow,
  endOf,
  entryBytes,
  fromJson,
  type Head,
  isGap,
  toEntry,
  toolOf,
  toTurn,
} from "./rows.ts";
import { prepareStatements, type Statements } from "./statements.ts";

export type JournalOptions = {
  /** Of the entries and turns of one session. Beyond it the oldest ones go. */
  readonly maxSessionBytes?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
};

/**
 * Opens the journal at `path`, or makes it; `:memory:` is kept nowhere. Throws a `JournalLockedError` if
 * another host has it, and a `JournalError` if the file cannot be one.
 */
export function openJournal(path: string, options: JournalOptions = {}): Journal {
  return new SqliteJournal(openDatabase(path), options);
}

class SqliteJournal implements Journal {
  readonly #db: Database;
  readonly #sql: Statements;
  readonly #now: () => number;
  readonly #write: (id: string, change: Commit) => readonly JournalEntry[];

  constructor(db: Database, { now = Date.now }: JournalOptions) {
    this.#db = db;
    this.#sql = prepareStatements(db);
    this.#now = now;
    this.#write = db.transaction((id: string, change: Commit) => this.#apply(id, change));
  }

  sessions(): readonly SessionRow[] {
    return this.#sql.sessions.all({}).map(({ row }) => fromJson(row));
  }

  sessionOfRequest(requestId: string): SessionRow | undefined {
    return rowValue(this.#sql.sessionOfRequest.get({ requestId }));
  }

  create(row: SessionRow): void {
    const { id, requestId = null } = row;
    const epoch = this.#now();
    this.#sql.createSession.run({ id, requestId, row: JSON.stringify(row), epoch });
  }

  load(id: string): LoadedSession | undefined {
    const head = this.#sql.head.get({ id });
    if (head === null) return undefined;
    const session = { session: head.number };
    const snapshot = this.#sql.snapshot.get(session);
    return {
      row: fromJson(head.row),
      cursor: endOf(head),
      queue: this.#sql.queue.all(session).map(({ row }) => fromJson(row)),
      openPrompts: this.#sql.openPrompts.all(session).map(({ row }) => fromJson(row)),
      ...(snapshot !== null && {
        snapshot: {
          cursor: { epoch: head.epoch, seq: snapshot.seq },
          state: fromJson(snapshot.state),
        },
      }),
    };
  }

  commit(id: string, change: Commit): readonly JournalEntry[] {
    return this.#write(id, change);
  }

  delete(id: string): void {
    const head = this.#sql.head.get({ id });
    if (head === null) return;
    this.#db.transaction(() => {
      const session = head.number;
      for (const table of ["entries", "turns", "snapshots", "queue", "prompts", "replies"]) {
        this.#db.query(`DELETE FROM ${table} WHERE session = $session`).run({ session });
      }
      this.#sql.deleteSession.run({ session });
    })();
  }

  entriesAfter(id: string, after: Cursor, maxChars: number): readonly JournalEntry[] | "gap" {
    const head = this.#sql.head.get({ id });
    if (head === null || isGap(head, after)) return "gap";
    const entries: JournalEntry[] = [];
    let chars = 0;
    const rows = this.#sql.entriesAfter.iterate({ session: head.number, seq: after.seq });
    for (const row of rows) {
      chars += row.data.length;
      if (entries.length > 0 && chars > maxChars) break;
      entries.push(toEntry(head, row));
    }
    return entries;
  }

  start(id: string): Cursor {
    const { epoch, start_seq } = this.#head(id);
    return { epoch, seq: start_seq };
  }

  turnsBefore(id: string, key: string | undefined, limit: number): EntryPage {
    const head = this.#sql.head.get({ id });
    if (head === null) return { entries: [] };
    const session = head.number;
    const before =
      key === undefined ? head.turn + 1 : this.#sql.turnOfKey.get({ session, key })?.turn;
    if (before === undefined) return { entries: [] };
    const found = { session, after: head.start_turn, before, limit };
    const rows = this.#sql.turnsBetween.all(found).reverse();
    const first = rows[0];
    const hasMore = first !== undefined && first.turn > head.start_turn + 1;
    return { entries: rows.map(toTurn), ...(hasMore && { before: first.key }) };
  }

  prompt(id: string, requestId: string): PromptRow | undefined {
    return rowValue(this.#sql.prompt.get({ session: this.#numberOf(id), requestId }));
  }

  promptOfTool(id: string, toolUseId: string): PromptRow | undefined {
    return rowValue(this.#sql.promptOfTool.get({ session: this.#numberOf(id), toolUseId }));
  }

  reply(id: string, clientId: string): ReplyRow | undefined {
    return rowValue(this.#sql.reply.get({ session: this.#numberOf(id), clientId }));
  }

  sizes(): readonly SessionSize[] {
    return this.#sql.sizes.all({});
  }

  isTrusted(place: string, dir: string): boolean {
    return this.#sql.trusted.get({ place, dir }) !== null;
  }

  trust(place: string, dir: string): void {
    this.#sql.trust.run({ place, dir });
  }

  recentDirs(place: string, limit: number): readonly string[] {
    return this.#sql.recentDirs.all({ place, limit }).map(({ dir }) => dir);
  }

  close(): void {
    for (const statement of Object.values(this.#sql)) statement.finalize();
    this.#db.close();
  }

  /** 0 where there is no such session, as in no row. */
  #numberOf(id: string): number {
    return this.#sql.head.get({ id })?.number ?? 0;
  }

  #head(id: string): Head {
    const head = this.#sql.head.get({ id });
    if (head === null) throw new Error(`the journal has no session ${id}`);
    return head;
  }

  /** Runs in one transaction. */
  #apply(id: string, change: Commit): readonly JournalEntry[] {
    const head = this.#head(id);
    const { entries, bytes } = this.#addEntries(head, change.entries ?? []);
    const seq = head.seq + entries.length;
    const turns = this.#addTurns(head, change.turns ?? []);
    const row = JSON.stringify(changedRow(fromJson<SessionRow>(head.row), change));
    const next = { ...head, ...turns, seq, bytes, row };
    this.#sql.updateSession.run(next);
    this.#setDetails(next, change);
    return entries;
  }

  #addEntries(head: Head, added: NonNullable<Commit["entries"]>) {
    let { seq, bytes } = head;
    const entries = added.map((entry) => {
      seq += 1;
      bytes += entryBytes(entry);
      const { type, data } = entry;
      this.#sql.addEntry.run({ session: head.number, seq, type, data, total: bytes });
      return toEntry(head, { seq, type, data });
    });
    return { entries, bytes };
  }

  #addTurns(head: Head, added: NonNullable<Commit["turns"]>) {
    let { turn, turn_bytes } = head;
    for (const entry of added) {
      const data = JSON.stringify(entry);
      const total = turn_bytes + Buffer.byteLength(data);
      const known = { session: head.number, key: entry.key, data };
      if (this.#sql.updateTurn.run(known).changes > 0) continue;
      this.#sql.addTurn.run({ ...known, turn: turn + 1, total });
      turn += 1;
      turn_bytes = total;
    }
    return { turn, turn_bytes };
  }

  #setDetails({ number: session, seq }: Head, change: Commit): void {
    for (const messageId of change.unqueued ?? [])
      this.#sql.deleteQueued.run({ session, messageId });
    for (const queued of change.queued ?? []) {
      const { messageId, position } = queued;
      this.#sql.setQueued.run({ session, messageId, position, row: JSON.stringify(queued) });
    }
    for (const prompt of change.prompts ?? []) {
      const { requestId, end } = prompt;
      const toolUseId = toolOf(prompt);
      const isOpen = end === undefined;
      const row = JSON.stringify(prompt);
      this.#sql.setPrompt.run({ session, requestId, toolUseId, seq, isOpen, row });
    }
    const { reply, snapshot } = change;
    if (reply !== undefined) {
      const { clientId } = reply;
      this.#sql.setReply.run({ session, clientId, seq, row: JSON.stringify(reply) });
    }
    if (snapshot !== undefined) {
      this.#sql.setSnapshot.run({ session, seq, state: JSON.stringify(snapshot) });
    }
  }
}

function rowValue<Value>(found: { readonly row: string } | null): Value | undefined {
  return found === null ? undefined : fromJson(found.row);
}
