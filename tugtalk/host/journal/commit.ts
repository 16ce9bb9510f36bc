/** Writes a commit. Runs within a transaction. */
import { addCost } from "./costs.ts";
import type { Commit, JournalEntry } from "./journal.ts";
import { entryBytes, type Head, toEntry } from "./rows.ts";
import type { Statements } from "./statements.ts";
import { addTexts } from "./text-index.ts";
import { copyRows } from "./transcript-copy.ts";

/** Writes the parts of `change` after `head`, and gives the new entries. */
export function writeCommit(sql: Statements, head: Head, change: Commit): readonly JournalEntry[] {
  const { entries, bytes } = addEntries(sql, head, change.entries ?? []);
  const turns = addTurns(sql, head, change.turns ?? []);
  const seq = head.seq + entries.length;
  const row = change.row === undefined ? head.row : JSON.stringify(change.row);
  const next = { ...head, ...turns, seq, bytes, row };
  sql.updateSession.run(next);
  writeMessages(sql, next, change);
  writeRest(sql, next, change);
  writeTranscript(sql, next, change);
  if (change.cost !== undefined) addCost(sql, next, change.cost);
  writeTexts(sql, next, change);
  return entries;
}

function addEntries(sql: Statements, head: Head, added: NonNullable<Commit["entries"]>) {
  let { seq, bytes } = head;
  const entries = added.map((entry) => {
    const { type, data } = entry;
    seq += 1;
    bytes += entryBytes(entry);
    sql.addEntry.run({ session: head.number, seq, type, data, total: bytes });
    return toEntry(head, { seq, type, data });
  });
  return { entries, bytes };
}

/** A known turn keeps its place, and its share of the total size. */
function addTurns(sql: Statements, head: Head, added: NonNullable<Commit["turns"]>) {
  let { turn, turn_bytes } = head;
  for (const entry of added) {
    const known = { session: head.number, key: entry.key, data: JSON.stringify(entry) };
    if (sql.updateTurn.run(known).changes > 0) continue;
    turn += 1;
    turn_bytes += Buffer.byteLength(known.data);
    sql.addTurn.run({ ...known, turn, total: turn_bytes });
  }
  return { turn, turn_bytes };
}

function writeMessages(sql: Statements, { number: session }: Head, change: Commit): void {
  for (const messageId of change.detached ?? []) sql.deleteAttached.run({ session, messageId });
  for (const [messageId, attachments] of change.attached ?? [])
    sql.setAttached.run({ session, messageId, data: JSON.stringify(attachments) });
  for (const end of change.endedMessages ?? []) sql.setMessageEnd.run({ session, ...end });
}

function writeRest(sql: Statements, head: Head, { replies = [], snapshot }: Commit): void {
  const { number: session, seq } = head;
  for (const reply of replies) {
    const { clientId } = reply;
    sql.setReply.run({ session, clientId, seq, row: JSON.stringify(reply) });
  }
  if (snapshot !== undefined) {
    sql.setSnapshot.run({ session, seq, state: JSON.stringify(snapshot) });
  }
}

function writeTranscript(
  sql: Statements,
  { number: session }: Head,
  { transcript = [] }: Commit,
): void {
  const { spans, rows } = copyRows(transcript);
  for (const span of spans) sql.dropLines.run({ session, ...span });
  for (const row of rows) sql.addLine.run({ session, ...row });
}

function writeTexts(sql: Statements, { number: session, turn }: Head, change: Commit): void {
  addTexts(sql, session, change.texts ?? []);
  if (change.indexesState === true) sql.setUnindexed.run({ session, turn: turn + 1 });
}
