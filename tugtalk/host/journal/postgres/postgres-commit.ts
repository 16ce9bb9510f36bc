/**
 * The values of a commit for its one statement, in the order of `COMMIT`. Throws if a value cannot be written
 * as JSON.
 */
import type { SQL } from "bun";
import { slotOf } from "../costs.ts";
import type { Commit } from "../journal.ts";
import { entryBytes } from "../rows.ts";
import { timedTexts } from "../session-texts.ts";
import { copyRows, type FileChange } from "../transcript-copy.ts";
import { columnsOf } from "./columns.ts";
import { wordVector } from "./postgres-search.ts";

export function commitValues(
  sql: SQL,
  id: string,
  change: Commit,
  now: number,
): readonly unknown[] {
  const { texts, numbers } = columnsOf(sql);
  const { row, entries = [], endedMessages = [], snapshot, cost } = change;
  // One statement may write each row once: of a turn that comes twice, the last is kept in the place of the
  // first.
  const turns = jsonOf(new Map((change.turns ?? []).map((turn) => [turn.key, turn])));
  const attached = jsonOf(change.attached ?? new Map());
  const replies = jsonOf(new Map((change.replies ?? []).map((reply) => [reply.clientId, reply])));
  const found = newTexts(change, now);
  const detached = (change.detached ?? []).filter((message) => !change.attached?.has(message));
  return [
    id,
    row === undefined ? null : JSON.stringify(row),
    texts(entries.map(({ type }) => type)),
    texts(entries.map(({ data }) => data)),
    numbers(entries.map(entryBytes)),
    texts(turns.keys),
    texts(turns.values),
    numbers(turns.values.map((value) => Buffer.byteLength(value))),
    texts(attached.keys),
    texts(attached.values),
    texts(detached),
    texts(endedMessages.map(({ messageId }) => messageId)),
    texts(endedMessages.map(({ status }) => status)),
    texts(replies.keys),
    texts(replies.values),
    snapshot === undefined ? null : JSON.stringify(snapshot),
    cost === undefined ? null : slotOf(cost.at),
    cost?.usd ?? null,
    texts(found.map(({ entry }) => entry)),
    texts(found.map(({ item }) => item)),
    texts(found.map(({ kind }) => kind)),
    numbers(found.map(({ at }) => at)),
    texts(found.map(({ text }) => text)),
    texts(found.map(({ text }) => wordVector(text))),
  ];
}

/** Further values for `COMMIT_WITH_LINES`. */
export function lineValues(sql: SQL, changes: readonly FileChange[]): readonly unknown[] {
  const { spans, rows } = copyRows(changes);
  const { texts, numbers } = columnsOf(sql);
  return [
    texts(spans.map(({ file }) => file)),
    numbers(spans.map(({ from }) => from)),
    numbers(spans.map(({ to }) => to)),
    texts(rows.map(({ file }) => file)),
    numbers(rows.map(({ start }) => start)),
    texts(rows.map(({ line }) => line)),
  ];
}

/** The texts that become searchable with this commit; for each place the last text. */
function newTexts({ texts = [], turns = [], indexesState }: Commit, now: number) {
  const older = indexesState === true ? timedTexts(turns, now) : [];
  const byPlace = new Map(
    [...older, ...texts].map((text) => [JSON.stringify([text.entry, text.item, text.kind]), text]),
  );
  return [...byPlace.values()];
}

function jsonOf(values: ReadonlyMap<string, unknown>) {
  return {
    keys: [...values.keys()],
    values: [...values.values()].map((value) => JSON.stringify(value)),
  };
}
