import { expect, test } from "bun:test";
import type { PendingPrompt } from "../../../client/host-api.ts";
import { initialSession, reduceSession } from "../../../client/reduce-session.ts";
import { fromPending } from "../open-prompt.ts";

const FIELDS = { sessionId: "s", stageId: "s", requestId: "r", toolUseId: "t", createdAt: 1 };

const PENDING: readonly PendingPrompt[] = [
  {
    ...FIELDS,
    type: "approval",
    toolName: "Bash",
    input: { command: "ls" },
    suggestions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
    displayName: "Bash",
    description: "List",
    decisionReason: "why",
    blockedPath: "/etc",
    parentToolUseId: "agent",
    turnId: "turn",
  },
  {
    ...FIELDS,
    type: "question",
    toolName: "AskUserQuestion",
    input: {},
    questions: [{ question: "Which?", header: "H", options: [], multiSelect: false }],
  },
  {
    ...FIELDS,
    type: "elicitation",
    serverName: "orders",
    message: "Who?",
    requestedSchema: { type: "object" },
    propertyOrder: ["name"],
  },
  {
    ...FIELDS,
    type: "elicitation",
    serverName: "orders",
    message: "Log in",
    url: "https://x.test",
  },
  { ...FIELDS, type: "dialog", dialogKind: "other", payload: { a: 1 } },
];

const EVENTS = {
  approval: "approval-requested",
  question: "question-requested",
  elicitation: "elicitation-requested",
  dialog: "dialog-requested",
} as const;

test("an open prompt of the board is the same as the state of its session has it", () => {
  for (const { type, ...data } of PENDING) {
    const frame = { s: "s", e: 1, q: 1, t: EVENTS[type], d: data };
    const { prompts } = reduceSession(initialSession, frame);
    expect(prompts).toEqual([fromPending({ type, ...data } as PendingPrompt)]);
  }
});
