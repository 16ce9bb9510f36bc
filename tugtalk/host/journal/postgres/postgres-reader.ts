/** Reads the journal in PostgreSQL. Any host may read, whoever holds the session. */
import type { SQL } from "bun";
import type { EntryPage } from "../../../client/entry-pages.ts";
import type { Cursor } from "../../../client/host-api.ts";
import { parseJson } from "../../../src/base/json.ts";
import { SLOT_MS, slotOf } from "../costs.ts";
import { checkedRow, isState, listedRow, readableTurn } from "../damage.ts";
import type {
  Attachments,
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
} from "../journal.ts";
import { DamagedSessionError } from "../journal-error.ts";
import { fromJson, type Head, rangeOf } from "../rows.ts";
import { BEGINNING, filesOf, type LinePlace, type LineRow, upTo } from "../transcript-copy.ts";
import { postgresFailure } from "./connection.ts";
import {
  askedValues,
  type EntryPiece,
  type EntryPieces,
  type FoundEntry,
  gatherEntryPieces,
} from "./entry-pieces.ts";
import { Searches } from "./postgres-search.ts";
import {
  COSTS,
  ENTRIES_AFTER,
  SELECT_HEAD,
  SIZES,
  TRANSCRIPT_AFTER,
  TURNS_BEFORE,
} from "./postgres-statements.ts";
import { answered, answerLimitMs, databaseAway, type Pool } from "./replaceable-pool.ts";

type Writes = "create" | "commit" | "delete" | "trust" | "backUp" | "close";

export class PostgresReader implements Omit<Journal, Writes> {
  readonly #pool: Pool;
  readonly #pieces: EntryPieces;
  readonly #searches: Searches;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#searches = new Searches(pool);
    this.#pieces = gatherEntryPieces((asked) =>
      this.query<FoundEntry>(ENTRIES_AFTER, askedValues(pool.sql, asked)),
    );
  }

  async sessions(): Promise<readonly SessionRow[]> {
    const rows = await this.query<Listed>("SELECT id, row FROM sessions ORDER BY number");
    return rows.map(({ id, row }) => listedRow(id, () => checkedRow(id, row)));
  }

  async sessionOfRequest(requestId: string): Promise<SessionRow | undefined> {
    const statement = "SELECT id, row FROM sessions WHERE request_id = $1";
    const [found] = await this.query<Listed>(statement, [requestId]);
    return found && checkedRow(found.id, found.row);
  }

  async load(id: string): Promise<LoadedSession | undefined> {
    const statement = `SELECT head.row, epoch::float8 AS epoch, seq::float8 AS seq, message_id, data
      FROM sessions AS head LEFT JOIN attached ON session = number WHERE id = $1`;
    const rows = await this.query<Loaded>(statement, [id]);
    const [head] = rows;
    if (head === undefined) return undefined;
    return {
      row: checkedRow(id, head.row),
      cursor: { epoch: head.epoch, seq: head.seq },
      attachments: attachmentsOf(rows),
    };
  }

  async snapshot(id: string): Promise<Snapshot | undefined> {
    const statement = `SELECT epoch::float8 AS epoch, start_seq::float8 AS start_seq,
      start_turn::float8 AS start_turn, snapshots.seq::float8 AS seq, state
      FROM sessions LEFT JOIN snapshots ON session = number WHERE id = $1`;
    const [found] = await this.query<FoundSnapshot>(statement, [id]);
    if (found === undefined) throw unknown(id);
    const { epoch, seq } = found;
    if (found.state === null) return undefined;
    const state: unknown = parseJson(found.state);
    if (isState(state)) return { cursor: { epoch, seq }, state };
    // The whole state also follows from the entries.
    if (found.start_seq === 0 && found.start_turn === 0) return undefined;
    throw new DamagedSessionError(id);
  }

  async entriesAfter(
    id: string,
    after: Cursor,
    maxChars: number,
  ): Promise<readonly JournalEntry[] | "gap"> {
    const piece = await this.pieceAfter(id, after, maxChars);
    return piece === "gap" ? piece : piece.entries;
  }

  /** The next entries, and whether there were more. */
  async pieceAfter(id: string, after: Cursor, maxChars: number): Promise<EntryPiece | "gap"> {
    return this.#pieces.add({ id, after, maxChars });
  }

  async range(id: string): Promise<JournalRange> {
    const [head] = await this.query<Head>(SELECT_HEAD, [id]);
    if (head === undefined) throw unknown(id);
    return rangeOf(head);
  }

  async turnsBefore(id: string, key: string | undefined, limit: number): Promise<EntryPage> {
    const rows = await this.query<FoundTurn>(TURNS_BEFORE, [id, key ?? null, limit]);
    const page = rows.slice(-limit);
    const before = rows.length > limit ? page[0]?.key : undefined;
    return { entries: page.map(readableTurn), ...(before !== undefined && { before }) };
  }

  async reply(id: string, clientId: string): Promise<ReplyRow | undefined> {
    const statement = `SELECT replies.row FROM replies JOIN sessions ON session = number
      WHERE id = $1 AND client_id = $2`;
    const [found] = await this.query<{ row: string }>(statement, [id, clientId]);
    return found && fromJson(found.row);
  }

  async messageEnd(id: string, messageId: string): Promise<MessageEndStatus | undefined> {
    const statement = `SELECT status FROM message_ends JOIN sessions ON session = number
      WHERE id = $1 AND message_id = $2`;
    const [found] = await this.query<{ status: MessageEndStatus }>(statement, [id, messageId]);
    return found?.status;
  }

  async transcriptAfter(
    id: string,
    conversation: string,
    after: LinePlace = BEGINNING,
    maxChars: number,
  ): Promise<readonly LineRow[]> {
    const { main, folder } = filesOf(conversation);
    const values = [id, main, folder, after.file, after.start, maxChars];
    return upTo(await this.query<LineRow>(TRANSCRIPT_AFTER, values), maxChars);
  }

  async search(query: SearchQuery): Promise<SearchPage> {
    return tried(this.#searches.search(query));
  }

  /** There is nothing to index later: each commit writes its texts to the index. */
  async unindexed(): Promise<readonly string[]> {
    return [];
  }

  async sizes(): Promise<readonly SessionSize[]> {
    return [...(await this.query<SessionSize>(SIZES))];
  }

  async costs(since: number): Promise<readonly CostRow[]> {
    const rows = await this.query<FoundCost>(COSTS, [slotOf(since)]);
    return rows.map(({ slot, id, usd }) => ({
      ...(id !== null && { id }),
      at: slot * SLOT_MS,
      usd,
    }));
  }

  async trustedGrants(place: string, dir: string): Promise<readonly string[] | undefined> {
    const statement = "SELECT grants FROM trusted_dirs WHERE place = $1 AND dir = $2";
    const [found] = await this.query<{ grants: string }>(statement, [place, dir]);
    return found && fromJson(found.grants);
  }

  /** Rejects with a `JournalError` where the database is the reason. */
  async query<Row>(statement: string, values: readonly unknown[] = []): Promise<Row[]> {
    if (this.#pool.isAway === true) throw databaseAway();
    const work = (sql: SQL) => sql.unsafe<Row[]>(statement, [...values]);
    return tried(answered(this.#pool, work, answerLimitMs(values)));
  }
}

/** A refusal of the database, in words for people. */
export async function tried<Value>(work: PromiseLike<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw postgresFailure(error);
  }
}

type Listed = { readonly id: string; readonly row: string };
type Loaded = Cursor & {
  readonly row: string;
  readonly message_id: string | null;
  readonly data: string;
};
type FoundSnapshot = Cursor & {
  readonly start_seq: number;
  readonly start_turn: number;
  readonly state: string | null;
};
type FoundCost = { readonly slot: number; readonly id: string | null; readonly usd: number };
type FoundTurn = { readonly turn: number; readonly key: string; readonly data: string };

function attachmentsOf(rows: readonly Loaded[]): ReadonlyMap<string, Attachments> {
  const attachments = new Map<string, Attachments>();
  for (const { message_id, data } of rows)
    if (message_id !== null) attachments.set(message_id, fromJson(data));
  return attachments;
}

export function unknown(id: string): Error {
  return new Error(`the journal has no session ${id}`);
}
