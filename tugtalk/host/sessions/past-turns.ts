/** The turns of a conversation that Claude had before the session of the host. */
import { entriesOfHistory } from "../../client/history-entries.ts";
import type { TranscriptEntry } from "../../client/transcript-models.ts";
import type { Bridge } from "../bridges/bridge.ts";
import { LATEST_TURNS } from "./latest-turns.ts";
import { historyAdded } from "./session-events.ts";
import type { NewEntry } from "./session-state.ts";
import { titleOf } from "./session-summary.ts";

/** Turns beyond this limit stay in Claude's own transcript. */
const MAX_TURNS = 5_000;
const TURNS_PER_PAGE = 200;

export type PastConversation = {
  readonly sessionId: string;
  /** Cuts the conversation before the host's message with this id, or after another line with this uuid. */
  readonly atMessage?: string | undefined;
};

/** The turns, oldest first. Rejects as `request` does. */
export async function pastTurns(
  bridge: Pick<Bridge, "request">,
  { sessionId, atMessage }: PastConversation,
): Promise<readonly TranscriptEntry[]> {
  let turns: readonly TranscriptEntry[] = [];
  let before: string | undefined;
  do {
    const page = await bridge.request({
      type: "session_history",
      session_id: sessionId,
      limit: TURNS_PER_PAGE,
      ...(before !== undefined && { before }),
    });
    const end = atMessage === undefined ? undefined : endAt(page.messages, atMessage);
    const messages = page.messages.slice(0, end);
    const { entries } = entriesOfHistory({ ...page, messages });
    // Turns after the cut are no part of the conversation.
    turns = end === undefined ? [...entries, ...turns] : entries;
    before = page.before;
  } while (before !== undefined && turns.length < MAX_TURNS);
  return turns;
}

type Messages = readonly Readonly<Record<string, unknown>>[];

/** The number of messages before the cut; undefined if these messages do not have it. */
function endAt(messages: Messages, at: string): number | undefined {
  const message = messages.findIndex((one) => one["message_id"] === at);
  if (message !== -1) return message;
  const line = messages.findLastIndex((one) => one["uuid"] === at);
  return line === -1 ? undefined : line + 1;
}

/** The title of a conversation: the beginning of its first user message. Empty if that is unknown. */
export function titleOfTurns([first]: readonly TranscriptEntry[]): string {
  const said = first?.items.find(({ kind }) => kind === "user");
  return said?.kind === "user" ? titleOf(said.text) : "";
}

/** The latest turns as an event of the journal. Only pages of older turns have the others. */
export function historyParts(turns: readonly TranscriptEntry[]): {
  readonly entry: NewEntry;
  readonly older: readonly TranscriptEntry[];
} {
  const entries = turns.slice(-LATEST_TURNS);
  const older = turns.slice(0, turns.length - entries.length);
  const before = older.length > 0 ? entries[0]?.key : undefined;
  return {
    entry: historyAdded({ entries, ...(before !== undefined && { before }) }),
    older,
  };
}
