/** One event of a host of each type. Made up. */
import type { HostEvent } from "../../session-input.ts";

const PROMPT = { sessionId: "s", stageId: "s", requestId: "r", toolUseId: "toolu_1", createdAt: 9 };

export const HOST_EVENTS: readonly HostEvent[] = [
  { type: "approval-requested", ...PROMPT, toolName: "Bash", input: { command: "ls" } },
  {
    type: "question-requested",
    ...PROMPT,
    questions: [{ question: "Which?", options: [{ label: "One" }] }],
  },
  { type: "elicitation-requested", ...PROMPT, serverName: "tide", message: "Your name?" },
  { type: "dialog-requested", ...PROMPT, dialogKind: "d", payload: {} },
  { type: "approval-resolved", requestId: "r", decision: "allow", by: "desk", at: 10 },
  { type: "approval-cancelled", requestId: "r", reason: "timeout", at: 10 },
  { type: "message-queued", message_id: "m", message: "Later.", queued_at: 9 },
  { type: "message-sent", message_id: "m", message: "Later." },
  { type: "queue-changed", queue: [{ message_id: "m", message: "Later.", queued_at: 9 }] },
  { type: "session-changed", title: "A title", state: "idle" },
  { type: "host-error", error: "The disk is full.", code: "disk_full" },
];

export const HOST_EVENT_TYPES: readonly string[] = HOST_EVENTS.map(({ type }) => type);
