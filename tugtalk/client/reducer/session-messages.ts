/** The session: its bridge, its process, its conversation and its state. */
import { isFields, present } from "../claude-value.ts";
import { prependEntries } from "../entry-pages.ts";
import type { ReducedSession } from "../reduced-session.ts";
import type { TranscriptEntry } from "../transcript-models.ts";
import { withoutOpenItems } from "./endings.ts";
import { handler } from "./handler.ts";
import { flag, nullable, nullish, number, objects, optional, text } from "./message-fields.ts";
import { addNotice } from "./notices.ts";
import { withoutPrompts } from "./prompts.ts";
import { isOpenTurn } from "./transcript.ts";
import { withoutOpenTurns } from "./turns.ts";

export const SESSION_HANDLERS = [
  // Another bridge: everything that the earlier bridge left open has ended.
  handler("protocol_ack", { instance_id: text, session_id: optional(text) }, (state, message) => {
    const { instance_id: instanceId } = message;
    if (state.instanceId === undefined || state.instanceId === instanceId)
      return { ...state, instanceId };
    return { ...withoutOpenItems(withoutOpenTurns(withoutPrompts(state))), instanceId };
  }),
  handler(
    "process_exit",
    {
      exit_code: nullable(number),
      signal: nullable(text),
      expected: flag,
      stderr_tail: text,
      will_restart: flag,
    },
    (state, message) => {
      const { exit_code: exitCode, signal, expected, stderr_tail: stderrTail } = message;
      const ended = withoutOpenItems(withoutPrompts(state));
      // Claude exits with 1 after a result that is an error.
      const isNormal = exitCode === 0 || (exitCode === 1 && hasFailedTurn(state));
      if (expected || isNormal) return ended;
      const willRestart = message.will_restart;
      return addNotice(ended, {}, { kind: "exit", exitCode, signal, willRestart, stderrTail });
    },
  ),
  handler(
    "session_init",
    { session_id: text, mode: text, previous_session_id: optional(text) },
    (state, message) => {
      const { session_id: sessionId, mode } = message;
      const { sessionId: known } = state;
      if (known === undefined || known === sessionId) return { ...state, sessionId };
      const isLeft = LEAVING.has(mode) && !isAllForgotten(state);
      const conversation = isLeft ? withoutTranscript(state) : state;
      const previousSessionId = message.previous_session_id ?? known;
      return addNotice(
        { ...conversation, sessionId },
        {},
        { kind: "session", mode, sessionId, previousSessionId },
      );
    },
  ),
  handler("session_state", { state: text }, (state, { state: status }) =>
    status === state.status ? state : { ...state, status },
  ),
  handler("session_title_changed", { title: nullish(text) }, (state, { title }) => {
    const { title: _old, ...rest } = state;
    return { ...rest, ...present({ title }) };
  }),
  handler(
    "session_changed",
    {
      claude_session_id: optional(text),
      title: optional(text),
      state: optional(text),
      model: optional(text),
      permission_mode: optional(text),
    },
    (state, event) => ({
      ...state,
      ...present({
        sessionId: event.claude_session_id,
        title: event.title,
        status: event.state as ReducedSession["status"] | undefined,
        model: event.model,
        permissionMode: event.permission_mode,
      }),
    }),
  ),
  // The conversation before the session of a host, whose entries are trusted as its snapshots are.
  handler(
    "history_added",
    { entries: objects, before: optional(text) },
    (state, { entries, before }) =>
      prependEntries(state, { entries: entries.filter(isEntry), ...present({ before }) }),
  ),
] as const;

function hasFailedTurn({ openEntries }: ReducedSession): boolean {
  const last = openEntries.findLast((entry) => entry.kind === "turn");
  return last?.kind === "turn" && last.end?.isError === true && last.status !== "running";
}

/** The modes that leave the transcript of the conversation before. */
const LEAVING: ReadonlySet<string> = new Set(["new", "resume", "continue", "clear"]);

/** A person has gone back to the beginning, which the transcript shows. */
function isAllForgotten({ entries, openEntries }: ReducedSession): boolean {
  const turns = [...entries, ...openEntries].filter(({ kind }) => kind === "turn");
  return turns.length > 0 && turns.every(({ isForgotten }) => isForgotten);
}

/**
 * An empty transcript, without the fields about the earlier conversation. The turn of a `/clear` is open, and
 * goes on in the new conversation.
 */
function withoutTranscript(state: ReducedSession): ReducedSession {
  const { before: _before, title: _title, contextUsage: _usage, ...shown } = state;
  const { promptSuggestion: _suggestion, activeGoal: _goal, ...rest } = shown;
  return {
    ...rest,
    entries: [],
    openEntries: state.openEntries.filter(isOpenTurn),
    taskList: { tasks: [] },
  };
}

function isEntry(value: unknown): value is TranscriptEntry {
  return (
    isFields(value) &&
    typeof value["key"] === "string" &&
    Array.isArray(value["items"]) &&
    isFields(value["agents"])
  );
}
