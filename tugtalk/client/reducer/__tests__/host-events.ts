/** One event of a host of each type. Made up. */
import type { HostEvent } from "../../session-input.ts";

const SESSION = { sessionId: "s", stageId: "s" };
const PROMPT = { ...SESSION, requestId: "r", toolUseId: "toolu_1", createdAt: 9 };
const QUEUED = { message_id: "m", message: "Later.", queued_at: 9 };

export const HOST_EVENTS: readonly HostEvent[] = [
  {
    type: "approval-requested",
    ...PROMPT,
    toolName: "Bash",
    input: { command: "ls" },
    suggestions: [],
  },
  {
    type: "question-requested",
    ...PROMPT,
    toolName: "AskUserQuestion",
    questions: [{ question: "Which?", options: [{ label: "One" }] }],
    input: {},
  },
  { type: "elicitation-requested", ...PROMPT, serverName: "tide", message: "Your name?" },
  { type: "dialog-requested", ...PROMPT, dialogKind: "d", payload: {} },
  {
    type: "approval-resolved",
    ...SESSION,
    requestId: "r",
    decision: "allow",
    by: "desk",
    at: 10,
  },
  { type: "approval-cancelled", ...SESSION, requestId: "r", reason: "timeout", at: 10 },
  { type: "message-queued", ...SESSION, ...QUEUED },
  { type: "message-sent", ...SESSION, message_id: "m", message: "Later.", sent_at: 10 },
  { type: "queue-changed", ...SESSION, added: [QUEUED], held: true },
  { type: "message-returned", ...SESSION, ...QUEUED },
  { type: "message-taken", ...SESSION, message_id: "m" },
  {
    type: "history-added",
    ...SESSION,
    entries: [{ kind: "interlude", key: "old", items: [], agents: {} }],
  },
  { type: "session-changed", ...SESSION, title: "A title", state: "idle" },
  { type: "host-error", ...SESSION, error: "The disk is full.", code: "disk_full" },
];

export const HOST_EVENT_TYPES: readonly string[] = HOST_EVENTS.map(({ type }) => type);
