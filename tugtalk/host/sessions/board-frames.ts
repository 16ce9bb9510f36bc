/**
 * The frames about one session for clients that follow all sessions. Prompts and messages have the names that
 * other hosts use. Pure.
 */
import { present } from "../../client/claude-value.ts";
import { initialSession, reduceSession } from "../../client/reduce-session.ts";
import type { PromptEnd } from "../../client/reduced-session.ts";
import type { Frame } from "../api/frame.ts";
import { namesOf, pendingPrompt } from "../prompts/plan-prompts.ts";
import { HOST_EVENTS, isHostEvent } from "./session-events.ts";
import type { NewEntry } from "./session-state.ts";

const PROMPT_ENTRIES: readonly string[] = [
  "control_request_forward",
  "elicitation_request",
  "dialog_request",
  "control_request_resolved",
  "control_request_cancel",
];

/** The entries that a board gets. */
export const BOARD_ENTRIES: readonly string[] = [
  ...PROMPT_ENTRIES,
  ...HOST_EVENTS.filter((type) => type !== "session_changed"),
];

/** Whether an entry opens or closes a prompt. */
export function isOfPrompt(type: string): boolean {
  return PROMPT_ENTRIES.includes(type);
}

/** `ends`: the ends of the latest prompts. */
export function boardFrames(
  sessionId: string,
  entries: readonly NewEntry[],
  ends: readonly PromptEnd[],
): readonly Frame[] {
  return entries.flatMap((entry) => {
    const event = boardEvent(sessionId, entry, ends);
    if (event === undefined) return [];
    return [{ session: sessionId, type: event.type, data: JSON.stringify(event.data) }];
  });
}

function boardEvent(
  sessionId: string,
  entry: NewEntry,
  ends: readonly PromptEnd[],
): NewEntry | undefined {
  const { type, data } = entry;
  switch (type) {
    case "control_request_forward":
    case "elicitation_request":
    case "dialog_request":
      return requested(sessionId, entry);
    case "control_request_resolved":
    case "control_request_cancel":
      return closed(
        sessionId,
        ends.find((end) => end.requestId === data["request_id"]),
      );
    case "message_queued":
    case "message_sent":
      return { type: type.replace("_", "-"), data: { ...namesOf(sessionId), ...data } };
    // Each change of a session is sent as its whole info.
    case "session_changed":
      return undefined;
    default:
      return isHostEvent(type) ? { type, data: { session_id: sessionId, ...data } } : undefined;
  }
}

/** The event for an opened prompt, as the state of its session has the prompt. */
function requested(sessionId: string, { type, data }: NewEntry): NewEntry | undefined {
  const [prompt] = reduceSession(initialSession, { t: type, d: data }).prompts;
  if (prompt === undefined) return undefined;
  const { type: kind, ...fields } = pendingPrompt(sessionId, prompt);
  return { type: `${kind}-requested`, data: fields };
}

function closed(sessionId: string, end: PromptEnd | undefined): NewEntry | undefined {
  if (end === undefined) return undefined;
  const { requestId, toolUseId, outcome, reason, by, updatedPermissions, at } = end;
  const prompt = { ...namesOf(sessionId), requestId, ...present({ toolUseId }) };
  return outcome === "cancelled"
    ? { type: "approval-cancelled", data: { ...prompt, ...present({ reason, at }) } }
    : {
        type: "approval-resolved",
        data: { ...prompt, decision: outcome, ...present({ by, updatedPermissions, at }) },
      };
}
