/** Writes a commit. Runs within a transaction. */
import type { Commit, JournalEntry, SessionRow } from "./journal.ts";
import { changedRow, entryBytes, fromJson, type Head, toEntry, toolOf } from "./rows.ts";
import type { Statements } from "./statements.ts";

/** Writes the parts of `change` after `head`, and gives the new entries. */
export function writeCommit(sql: Statements, head: Head, change: Commit): readonly JournalEntry[] {
  const { entries, bytes } = addEntries(sql, head, change.entries ?? []);
  const turns = addTurns(sql, head, change.turns ?? []);
  const seq = head.seq + entries.length;
  const row = changesRow(change)
    ? JSON.stringify(changedRow(fromJson<SessionRow>(head.row), change))
    : head.row;
  const next = { ...head, ...turns, seq, bytes, row };
  sql.updateSession.run(next);
  writeQueue(sql, next, change);
  writePrompts(sql, next, change);
  writeRest(sql, next, change);
  return entries;
}

/** Most commits have only entries. */
function changesRow({ session, unset = [] }: Commit): boolean {
  return session !== undefined || unset.length > 0;
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

/** A turn that is known keeps its place, and its part of the total. */
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

function writeQueue(sql: Statements, { number: session }: Head, change: Commit): void {
  for (const messageId of change.unqueued ?? []) sql.deleteQueued.run({ session, messageId });
  for (const queued of change.queued ?? []) {
    const { messageId, position } = queued;
    sql.setQueued.run({ session, messageId, position, row: JSON.stringify(queued) });
  }
  for (const end of change.endedMessages ?? []) sql.setMessageEnd.run({ session, ...end });
}

function writePrompts(sql: Statements, { number: session, seq }: Head, change: Commit): void {
  for (const prompt of change.prompts ?? []) {
    const { requestId, end } = prompt;
    const row = JSON.stringify(prompt);
    const fields = { toolUseId: toolOf(prompt), isOpen: end === undefined };
    sql.setPrompt.run({ session, requestId, seq, row, ...fields });
  }
}

function writeRest(sql: Statements, head: Head, { reply, snapshot }: Commit): void {
  const { number: session, seq } = head;
  if (reply !== undefined) {
    const { clientId } = reply;
    sql.setReply.run({ session, clientId, seq, row: JSON.stringify(reply) });
  }
  if (snapshot !== undefined) {
    sql.setSnapshot.run({ session, seq, state: JSON.stringify(snapshot) });
  }
}
