/** The order of prompts, and their texts. */
import { expect, test } from "bun:test";
import type { OpenPrompt } from "../../../client/prompt-models.ts";
import type { SessionPrompt } from "../../../client/stores/session-prompt.ts";
import type { ToolItem, TranscriptEntry } from "../../../client/transcript-models.ts";
import { CommandError } from "../../../client/transports/transport.ts";
import { viewPrompt } from "../../../client/views/prompt-view.ts";
import { viewSuggestion } from "../../../client/views/suggestion-view.ts";
import { describeEnd, endOf } from "../closed-note.tsx";
import { suggestionLabel } from "../permission-card.tsx";
import { describeFailure, readDraft } from "../prompt-form.ts";
import { inOrder, othersPending } from "../prompt-order.ts";
import { chipOf, summaryOf, titleOf } from "../prompt-summary.ts";

const PERMISSION: OpenPrompt = {
  kind: "permission",
  requestId: "p",
  toolUseId: "call",
  toolName: "mcp__tide__wait",
  input: {},
  permissionSuggestions: [],
};
const BASH: OpenPrompt = {
  ...PERMISSION,
  requestId: "b",
  toolName: "Bash",
  input: { command: "ls\n-l" },
};
const PLAN: OpenPrompt = {
  ...PERMISSION,
  toolName: "ExitPlanMode",
  input: { plan: "# Go\n\nNow" },
};
const QUESTION: OpenPrompt = {
  kind: "question",
  requestId: "q",
  toolName: "AskUserQuestion",
  questions: [],
  input: {},
};
const FORM: OpenPrompt = {
  kind: "elicitation",
  requestId: "e",
  serverName: "orders\u202e",
  message: "Who?\nYou?",
};
const DIALOG: OpenPrompt = { kind: "dialog", requestId: "d", dialogKind: "survey", payload: {} };

test("approvals come before questions, forms and dialogs, and the prompt that a person works on before all", () => {
  const ids = (chosen?: string) =>
    inOrder([DIALOG, FORM, QUESTION, PERMISSION, BASH], chosen).map(({ requestId }) => requestId);
  expect(ids()).toEqual(["p", "b", "q", "e", "d"]);
  expect(ids("e")).toEqual(["e", "p", "b", "q", "d"]);
  expect(ids("gone")).toEqual(ids());
});

test("prompts of other sessions are sorted by kind and age", () => {
  const ask = (prompt: OpenPrompt, sessionId: string, createdAt: number) =>
    ({ ...prompt, sessionId, createdAt }) as SessionPrompt;
  const pending = [ask(QUESTION, "b", 1), ask(PERMISSION, "c", 5), ask(BASH, "b", 2)];
  const others = othersPending({ pending: [...pending, ask(PLAN, "a", 3)] }, "a");
  expect(others.map(({ createdAt }) => createdAt)).toEqual([2, 5, 1]);
  expect(othersPending({ pending }, undefined)).toHaveLength(3);
});

test.each<[OpenPrompt, string, string | undefined, string]>([
  [PERMISSION, "Tool Approval Required", "tide · wait", "wait"],
  [{ ...BASH, description: "List" }, "Tool Approval Required", "Bash", "List"],
  [BASH, "Tool Approval Required", "Bash", "ls …"],
  [PLAN, "Plan for Approval", undefined, "Go"],
  [QUESTION, "Question from Claude", undefined, ""],
  [FORM, "Question from an MCP Server", "orders\\u{202e}", "Who?"],
  [DIALOG, "Dialog of Claude", undefined, "survey"],
])("a prompt in a few words: %#", (prompt, title, chip, summary) => {
  const view = viewPrompt(prompt);
  expect([titleOf(view), chipOf(view), summaryOf(view)]).toEqual([title, chip, summary]);
});

test.each([
  [
    { type: "setMode", mode: "acceptEdits", destination: "session" },
    "Allow, and switch to the permission mode Accept edits (Claude edits files of the project without asking) for this session",
  ],
  [
    {
      type: "addRules",
      rules: [{ toolName: "Read" }],
      behavior: "allow",
      destination: "userSettings",
    },
    "Always allow every use of Read in all your projects, saved in ~/.claude/settings.json",
  ],
])("the button of a suggestion says what it does: %#", (suggestion, label) => {
  expect(suggestionLabel(viewSuggestion(suggestion, 0))).toBe(label);
});

function entry(...items: readonly ToolItem[]): TranscriptEntry {
  return { kind: "interlude", key: "k", items: [], agents: { parent: items } };
}

const CALL: ToolItem = { kind: "tool", key: "call", toolUseId: "call", status: "running" };

test("the end of a prompt is found at its call, also at the call of an agent, if it is the end of this prompt", () => {
  const permission = { requestId: "p", outcome: "allow" } as const;
  const entries = [entry({ ...CALL, permission }), entry()];
  expect(endOf(PERMISSION, entries)).toBe(permission);
  expect(endOf({ ...PERMISSION, requestId: "later" }, entries)).toBeUndefined();
  expect(endOf(FORM, entries)).toBeUndefined();
});

test.each([
  [{ requestId: "p", outcome: "allow", by: "Firefox" }, "Allowed by Firefox"],
  [{ requestId: "p", outcome: "deny" }, "Denied elsewhere"],
  [{ requestId: "p", outcome: "answered", by: "Firefox" }, "Answered by Firefox"],
  [
    { requestId: "p", outcome: "cancelled", reason: "withdrawn" },
    "Not answered: Claude took the question back",
  ],
  [undefined, "Closed: it was answered elsewhere, or taken back"],
] as const)("the end of a prompt in words: %#", (end, words) => {
  expect(describeEnd(end)).toBe(words);
});

test.each([
  [{ code: "already_resolved", outcome: "allow", by: "Firefox" }, "Answered by Firefox already"],
  [{ code: "already_resolved", outcome: "allow" }, "Answered already"],
  [{ code: "already_resolved", outcome: "cancelled" }, "Claude does not wait for it any more"],
  [{ code: "journal_failed", error: "the disk is full" }, "the disk is full"],
])("a failed answer in words: %#", (body, words) => {
  expect(describeFailure(new CommandError(409, body))).toBe(words);
});

test("a stored draft of another shape is none", () => {
  expect(readDraft('{"a":1}')).toEqual({ a: 1 });
  for (const stored of [null, "", "[1]", "no"]) expect(readDraft(stored)).toEqual({});
});
