/** The turns of a past conversation as entries of the transcript. */

import type { OutboundMessage } from "../src/types.ts";
import { type Fields, isFields, textOf } from "./claude-value.ts";
import type { EntryPage } from "./entry-pages.ts";
import { initialSession, reduceSession } from "./reduce-session.ts";
import type { ReducedSession } from "./reduced-session.ts";
import { withoutOpenItems } from "./reducer/endings.ts";
import type { TranscriptEntry, TranscriptItem, Turn } from "./transcript-models.ts";

/** The fields of a `session_history_result` that are read. */
export type HistoryPage = Pick<
  Extract<OutboundMessage, { type: "session_history_result" }>,
  "session_id" | "messages" | "before"
>;

/**
 * One turn for each message of the host. A page may begin with the rest of a turn whose beginning is in an
 * older page. A transcript does not say how a turn ended.
 */
export function entriesOfHistory({ session_id, messages, before }: HistoryPage): EntryPage {
  const turns = groupedByTurn(messages.filter(isFields));
  const entries = turns.map((turn, index) =>
    entryOf(turn, `${session_id}:${before ?? ""}:${index}`),
  );
  return { entries, ...(before !== undefined && { before }) };
}

function groupedByTurn(messages: readonly Fields[]): readonly (readonly Fields[])[] {
  const turns: Fields[][] = [];
  for (const message of messages) {
    const isFirst = isOfHost(message) && textOf(message["parent_tool_use_id"]) === undefined;
    const turn = turns.at(-1);
    if (turn === undefined || isFirst) turns.push([message]);
    else turn.push(message);
  }
  return turns;
}

function isOfHost(message: Fields): boolean {
  return message["type"] === "user_text" && message["kind"] === "history";
}

/** The entry of one turn. Its key does not depend on the page where its first message has an id. */
function entryOf(messages: readonly Fields[], place: string): TranscriptEntry {
  const [first = {}] = messages;
  const messageIds = [textOf(first["message_id"])].filter((id) => id !== undefined);
  const turnId = `history:${messageIds[0] ?? textOf(first["uuid"]) ?? place}`;
  const started = {
    type: "turn_started",
    turn_id: turnId,
    message_ids: messageIds,
    trigger: "unknown",
  };
  const ofTurn = messages.map((message) => ({
    ...message,
    type: String(message["type"]),
    turn_id: turnId,
  }));
  const state = [started, ...ofTurn].reduce<ReducedSession>(reduceSession, initialSession);
  const [turn] = withoutOpenItems(state).openEntries;
  return pastTurn(turn, turnId, messageIds);
}

function pastTurn(
  entry: TranscriptEntry | undefined,
  turnId: string,
  messageIds: readonly string[],
): Turn {
  const { items = [], agents = {} } = entry ?? {};
  return {
    kind: "turn",
    key: turnId,
    turnId,
    trigger: isOfUser(items[0]) ? "user" : "unknown",
    messageIds,
    status: "unknown",
    items: items.map(asLive),
    agents,
  };
}

function isOfUser(item: TranscriptItem | undefined): boolean {
  return item?.kind === "user" && item.source === "history";
}

/** The message of the host as a live session shows it. */
function asLive(item: TranscriptItem): TranscriptItem {
  return item.kind === "user" && item.source === "history" ? { ...item, source: "host" } : item;
}
