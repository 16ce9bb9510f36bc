/** The prepared statements of the journal. */
import type { Database } from "bun:sqlite";
import type { MessageEndStatus } from "./journal.ts";
import type { Bindings, Json, Prepare, Session } from "./prepare.ts";
import type { EntryRow, Head, TurnRow } from "./rows.ts";
import { textStatements, unindexedStatements } from "./text-statements.ts";
import type { filesOf, LinePlace, LineRow, LineSpan } from "./transcript-copy.ts";

type Keyed<Key extends string> = Session & { readonly [K in Key]: string };

const HEAD = `number, row, epoch, seq, start_seq, bytes, start_bytes,
  turn, start_turn, turn_bytes, start_turn_bytes`;

const SIZES = `SELECT id, seq - start_seq AS entries,
    bytes - start_bytes + turn_bytes - start_turn_bytes + octet_length(row)
    + coalesce((SELECT octet_length(state) FROM snapshots WHERE session = number), 0)
    + (SELECT coalesce(sum(octet_length(data)), 0) FROM attached WHERE session = number)
    + (SELECT coalesce(sum(octet_length(row)), 0) FROM replies WHERE session = number)
    + (SELECT coalesce(sum(octet_length(line)), 0) FROM transcript_lines WHERE session = number) AS bytes
  FROM sessions`;

export type Statements = ReturnType<typeof prepareStatements>;

/** `finalize` ends all statements: SQLite keeps the database open and locked as long as one is left. */
export function prepareStatements(db: Database) {
  const prepared: { finalize(): void }[] = [];
  const prepare: Prepare = <Row, Params extends Bindings>(sql: string) => {
    const statement = db.prepare<Row, [Params]>(sql);
    prepared.push(statement);
    return statement;
  };
  return {
    ...sessionStatements(prepare),
    ...entryStatements(prepare),
    ...detailStatements(prepare),
    ...transcriptStatements(prepare),
    ...trimStatements(prepare),
    ...costStatements(prepare),
    ...textStatements(prepare),
    ...unindexedStatements(prepare),
    finalize: () => {
      for (const statement of prepared) statement.finalize();
    },
  };
}

function sessionStatements(prepare: Prepare) {
  return {
    // Reads an index alone, so that a damaged page of the table does not hide the other sessions.
    numbers: prepare<Numbered>("SELECT number, id FROM sessions"),
    number: prepare<Pick<Numbered, "number">, { id: string }>(
      "SELECT number FROM sessions WHERE id = $id",
    ),
    sessionOfRequest: prepare<Pick<Numbered, "id">, { requestId: string }>(
      "SELECT id FROM sessions WHERE request_id = $requestId",
    ),
    head: prepare<Head, { id: string }>(`SELECT ${HEAD} FROM sessions WHERE id = $id`),
    createSession: prepare<never, NewSessionRow>(
      "INSERT INTO sessions (id, request_id, row, epoch) VALUES ($id, $requestId, $row, $epoch)",
    ),
    updateSession: prepare<never, Head>(`UPDATE sessions SET row = $row, epoch = $epoch, seq = $seq,
      start_seq = $start_seq, bytes = $bytes, start_bytes = $start_bytes, turn = $turn,
      start_turn = $start_turn, turn_bytes = $turn_bytes, start_turn_bytes = $start_turn_bytes
      WHERE number = $number`),
    /** Deletes all rows of a session but its entries and turns. */
    deletes: [
      prepare<never, Session>("DELETE FROM sessions WHERE number = $session"),
      ...["snapshots", "attached", "message_ends", "replies", "unindexed"].map((table) =>
        prepare<never, Session>(`DELETE FROM ${table} WHERE session = $session`),
      ),
    ],
    sizes: prepare<SizeRow>(SIZES),
    trusted: prepare<{ grants: string }, TrustedDir>(
      "SELECT grants FROM trusted_dirs WHERE place = $place AND dir = $dir",
    ),
    trust: prepare<never, TrustedDir & { grants: string }>(
      `INSERT INTO trusted_dirs VALUES ($place, $dir, $grants)
       ON CONFLICT DO UPDATE SET grants = excluded.grants`,
    ),
  };
}

function entryStatements(prepare: Prepare) {
  return {
    addEntry: prepare<never, Session & EntryRow & { total: number }>(
      "INSERT INTO entries VALUES ($session, $seq, $type, $data, $total)",
    ),
    entriesAfter: prepare<EntryRow, Session & { seq: number }>(
      "SELECT seq, type, data FROM entries WHERE session = $session AND seq > $seq ORDER BY seq",
    ),
    addTurn: prepare<never, Session & TurnRow & { total: number }>(
      "INSERT INTO turns VALUES ($session, $turn, $key, $data, $total)",
    ),
    updateTurn: prepare<never, Keyed<"key" | "data">>(
      "UPDATE turns SET data = $data WHERE session = $session AND key = $key",
    ),
    turnOfKey: prepare<{ turn: number }, Keyed<"key">>(
      "SELECT turn FROM turns WHERE session = $session AND key = $key",
    ),
    turnsBetween: prepare<TurnRow, Session & { after: number; before: number; limit: number }>(
      `SELECT turn, key, data FROM turns WHERE session = $session AND turn > $after AND turn < $before
       ORDER BY turn DESC LIMIT $limit`,
    ),
    setSnapshot: prepare<never, Session & SnapshotRow>(
      `INSERT INTO snapshots VALUES ($session, $seq, $state)
       ON CONFLICT DO UPDATE SET seq = excluded.seq, state = excluded.state`,
    ),
    snapshot: prepare<SnapshotRow, Session>(
      "SELECT seq, state FROM snapshots WHERE session = $session",
    ),
  };
}

function detailStatements(prepare: Prepare) {
  return {
    setAttached: prepare<never, Keyed<"messageId" | "data">>(
      "INSERT OR REPLACE INTO attached VALUES ($session, $messageId, $data)",
    ),
    deleteAttached: prepare<never, Keyed<"messageId">>(
      "DELETE FROM attached WHERE session = $session AND message_id = $messageId",
    ),
    attached: prepare<{ messageId: string; data: string }, Session>(
      "SELECT message_id AS messageId, data FROM attached WHERE session = $session",
    ),
    setMessageEnd: prepare<never, Keyed<"messageId" | "status">>(
      "INSERT INTO message_ends VALUES ($session, $messageId, $status)",
    ),
    messageEnd: prepare<{ status: MessageEndStatus }, Keyed<"messageId">>(
      "SELECT status FROM message_ends WHERE session = $session AND message_id = $messageId",
    ),
    setReply: prepare<never, Keyed<"clientId" | "row"> & { seq: number }>(
      `INSERT INTO replies VALUES ($session, $clientId, $seq, $row)
       ON CONFLICT DO UPDATE SET seq = excluded.seq, row = excluded.row`,
    ),
    reply: prepare<Json, Keyed<"clientId">>(
      "SELECT row FROM replies WHERE session = $session AND client_id = $clientId",
    ),
  };
}

function transcriptStatements(prepare: Prepare) {
  return {
    dropLines: prepare<never, Session & LineSpan>(
      `DELETE FROM transcript_lines
       WHERE session = $session AND file = $file AND start >= $from AND start < $to`,
    ),
    addLine: prepare<never, Session & LineRow>(
      "INSERT INTO transcript_lines VALUES ($session, $file, $start, $line)",
    ),
    linesAfter: prepare<LineRow, Session & LinePlace & ReturnType<typeof filesOf>>(
      `SELECT file, start, line FROM transcript_lines WHERE session = $session
       AND (file, start) > ($file, $start) AND (file = $main OR substr(file, 1, length($folder)) = $folder)
       ORDER BY file, start`,
    ),
  };
}

function trimStatements(prepare: Prepare) {
  return {
    entryTotal: prepare<Total, Session & { seq: number }>(
      "SELECT total FROM entries WHERE session = $session AND seq = $seq",
    ),
    turnTotal: prepare<Total, Session & { turn: number }>(
      "SELECT total FROM turns WHERE session = $session AND turn = $turn",
    ),
    snapshotSeq: prepare<{ seq: number }, Session>(
      "SELECT seq FROM snapshots WHERE session = $session",
    ),
    addTrash: prepare<never, Session & { seq: number; turn: number }>(
      `INSERT INTO trash VALUES ($session, $seq, $turn)
       ON CONFLICT DO UPDATE SET seq = excluded.seq, turn = excluded.turn`,
    ),
  };
}

function costStatements(prepare: Prepare) {
  return {
    addCost: prepare<never, CostSlot>(
      `INSERT INTO costs VALUES ($slot, $session, $usd)
       ON CONFLICT DO UPDATE SET usd = usd + excluded.usd`,
    ),
    keepCosts: prepare<never, Session>(
      `INSERT INTO costs SELECT slot, -1, usd FROM costs WHERE session = $session
       ON CONFLICT DO UPDATE SET usd = usd + excluded.usd`,
    ),
    deleteCosts: prepare<never, Session>("DELETE FROM costs WHERE session = $session"),
    costs: prepare<CostSlot, { slot: number }>(
      "SELECT slot, session, usd FROM costs WHERE slot >= $slot ORDER BY slot",
    ),
  };
}

type CostSlot = Session & { readonly slot: number; readonly usd: number };
type Numbered = { readonly number: number; readonly id: string };
type Total = { readonly total: number };
type NewSessionRow = Json & { id: string; requestId: string | null; epoch: number };
type SizeRow = { id: string; entries: number; bytes: number };
type TrustedDir = { place: string; dir: string };
type SnapshotRow = { seq: number; state: string };
