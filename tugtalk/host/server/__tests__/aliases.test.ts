/** Answers that name a prompt by its tool call, without a port. */
import { expect, test } from "bun:test";
import type { OpenPrompt } from "../../../client/prompt-models.ts";
import type { PromptEnd } from "../../../client/reduced-session.ts";
import type { AliasName } from "../../api/alias-routes.ts";
import { ApiError } from "../../api/api-error.ts";
import type { CommandTable } from "../../api/command.ts";
import type { HostSessions } from "../../api/host-session.ts";
import { aliasCommands, promptCommands } from "../commands-prompts.ts";
import { openCommandRunner } from "../run-command.ts";

const MODE = { type: "setMode", mode: "plan", destination: "session" };

const OPEN: readonly OpenPrompt[] = [
  {
    kind: "permission",
    requestId: "r1",
    toolUseId: "call-1",
    toolName: "Bash",
    input: {},
    permissionSuggestions: [MODE],
  },
  {
    kind: "question",
    requestId: "r2",
    toolUseId: "call-2",
    toolName: "Ask",
    input: {},
    questions: [{ question: "Which?" }],
  },
  { kind: "dialog", requestId: "r3", toolUseId: "call-3", dialogKind: "survey", payload: {} },
];

const CLOSED: readonly PromptEnd[] = [
  { requestId: "r4", toolUseId: "call-4", outcome: "cancelled" },
];

/** Gives a command to a host with one session, and returns the answers that the session was given. */
async function run(name: "approve" | AliasName, fields: Readonly<Record<string, unknown>>) {
  const given: unknown[] = [];
  const session = {
    promptOfCall: async (call: string) =>
      [...OPEN, ...CLOSED].find(({ toolUseId }) => toolUseId === call),
    prompt: async (id: string) => {
      const open = OPEN.find(({ requestId }) => requestId === id);
      if (open === undefined) throw new ApiError(409, "already_resolved", "answered before");
      return open;
    },
    answer: async (...answer: readonly unknown[]) => given.push(answer),
  };
  const find = (id: string) => {
    if (id !== "s") throw new ApiError(404, "unknown_session", "there is no such session");
    return session;
  };
  // The command reaches no other part of it.
  const sessions = { get: find } as unknown as HostSessions;
  const commands = { ...promptCommands(sessions), ...aliasCommands(sessions) };
  const runner = openCommandRunner(
    commands as unknown as CommandTable,
    async () => {},
    (error) => {
      throw error;
    },
  );
  const { status, body } = await runner(name, { id: "s", ...fields }, { name: "desk" });
  return { status, body, given };
}

test.each([
  [
    "submit_answers",
    { toolCallId: "call-2", answers: { 0: "Red" } },
    { type: "question_answer", request_id: "r2", answers: { "Which?": "Red" } },
  ],
  [
    "approve",
    { toolCallId: "call-1" },
    { type: "tool_approval", request_id: "r1", decision: "allow" },
  ],
  [
    "approve",
    { toolCallId: "call-1", decision: "deny", reason: "no", interrupt: true },
    { type: "tool_approval", request_id: "r1", decision: "deny", message: "no", interrupt: true },
  ],
  [
    "approve",
    { toolCallId: "call-1", decision: "allow", updatedInput: { a: 1 }, suggestions: [0] },
    {
      type: "tool_approval",
      request_id: "r1",
      decision: "allow",
      updatedInput: { a: 1 },
      updatedPermissions: [MODE],
    },
  ],
  [
    "deny_call",
    { toolCallId: "call-1", interrupt: true },
    { type: "tool_approval", request_id: "r1", decision: "deny", interrupt: true },
  ],
  [
    "deny_call",
    { toolCallId: "call-1", reason: "no" },
    { type: "tool_approval", request_id: "r1", decision: "deny", message: "no" },
  ],
] as const)("%s with %j answers the prompt of the tool call", async (name, fields, answer) => {
  const { status, body, given } = await run(name, fields);
  expect({ status, body }).toEqual({ status: 200, body: { ok: true } });
  expect(given).toEqual([[answer, { name: "desk" }]]);
});

const INCOMPLETE = { error: "toolCallId and answers are required", code: "bad_request" };
const NO_QUESTION = { error: "No pending question", code: "unknown_request" };
const NO_APPROVAL = { error: "No pending approval", code: "unknown_request" };

function wrong(field: string, problem: string) {
  return { error: `${field}: ${problem}`, code: "bad_request", field };
}
const unknown = (field: string) => wrong(field, "is not known here");

test.each([
  ["submit_answers", {}, 400, INCOMPLETE],
  ["submit_answers", { toolCallId: "call-2" }, 400, INCOMPLETE],
  ["submit_answers", { answers: {} }, 400, INCOMPLETE],
  ["submit_answers", { toolCallId: 2, answers: {} }, 400, INCOMPLETE],
  ["submit_answers", { toolCallId: "call-2", answers: ["Red"] }, 400, INCOMPLETE],
  ["submit_answers", { toolCallId: "none", answers: {} }, 404, NO_QUESTION],
  ["submit_answers", { toolCallId: "call-1", answers: {} }, 404, NO_QUESTION],
  ["approve", { toolCallId: "call-2" }, 404, NO_APPROVAL],
  ["deny_call", { toolCallId: "call-2" }, 404, NO_APPROVAL],
  ["approve", { toolCallId: "call-3" }, 404, NO_APPROVAL],
  ["deny_call", { toolCallId: "none" }, 404, NO_APPROVAL],
  ["approve", { toolCallId: "call-2", decision: "deny" }, 404, NO_APPROVAL],
  ["approve", {}, 400, wrong("request_id", "is missing, as is tool_use_id")],
  [
    "approve",
    { request_id: "r1", requestId: "r1", decision: "allow" },
    400,
    wrong("requestId", "is given beside request_id"),
  ],
  [
    "submit_answers",
    { tool_use_id: "call-2", toolCallId: "call-2", answers: {} },
    400,
    wrong("toolCallId", "is given beside tool_use_id"),
  ],
  ["approve", { requestId: "r1" }, 400, wrong("decision", "is missing")],
  [
    "approve",
    { requestId: "r1", toolCallId: "call-1", decision: "allow" },
    400,
    wrong("tool_use_id", "is given beside request_id"),
  ],
  ["deny_call", { toolCallId: "call-1", decision: "allow" }, 400, unknown("decision")],
  ["deny_call", { toolCallId: "call-1", decision: "deny" }, 400, unknown("decision")],
  ["deny_call", { requestId: "r1" }, 400, unknown("requestId")],
  ["submit_answers", { toolCallId: "call-2", answer: {} }, 400, unknown("answer")],
  ["deny_call", {}, 400, { error: "toolCallId is required", code: "bad_request" }],
  [
    "deny_call",
    { toolCallId: "call-4" },
    409,
    { error: "answered before", code: "already_resolved" },
  ],
  [
    "approve",
    { id: "t", toolCallId: "call-1" },
    404,
    { error: "there is no such session", code: "unknown_session" },
  ],
] as const)("%s with %j is refused with %d %j", async (name, fields, status, body) => {
  expect(await run(name, fields)).toEqual({ status, body, given: [] });
});
