/** The lines to Claude for the answers of hooks, and the answers that are refused. */
import { expect, test } from "bun:test";
import type { HookEvent } from "../../messages/hook-events.ts";
import { buildHookOutput, type HookVerdict, silentVerdict, verdictFault } from "../hook-output.ts";

const momentOf = (event: HookEvent, toolName = "Bash", claudeVersion = "2.1.330") => ({
  event,
  toolName,
  claudeVersion,
});

const special = (hookEventName: HookEvent, fields: object) => ({
  hookSpecificOutput: { hookEventName, ...fields },
});

const OUTPUTS: readonly (readonly [string, HookEvent, readonly HookVerdict[], object])[] = [
  ["nothing said means go on", "PreToolUse", [{}, {}], {}],
  [
    "one deny beats an allow, and only its reason is told",
    "PreToolUse",
    [
      { decision: "allow", reason: "fine" },
      { decision: "deny", reason: "not here" },
    ],
    special("PreToolUse", {
      permissionDecision: "deny",
      permissionDecisionReason: "not here",
    }),
  ],
  [
    "an ask beats an allow",
    "PreToolUse",
    [{ decision: "allow" }, { decision: "ask" }],
    special("PreToolUse", { permissionDecision: "ask" }),
  ],
  [
    "the first input is taken and the contexts are joined",
    "PreToolUse",
    [
      { updatedInput: { a: 1 }, context: "one" },
      { updatedInput: { a: 2 }, context: "two" },
    ],
    special("PreToolUse", { updatedInput: { a: 1 }, additionalContext: "one\ntwo" }),
  ],
  [
    "a stop is told beside a decision",
    "PreToolUse",
    [{ decision: "deny", stop: "enough" }],
    {
      continue: false,
      stopReason: "enough",
      ...special("PreToolUse", { permissionDecision: "deny" }),
    },
  ],
  [
    "a refused prompt is blocked",
    "UserPromptSubmit",
    [{ decision: "deny", reason: "no" }],
    { decision: "block", reason: "no" },
  ],
  [
    "a Stop that is denied goes on by its reasons",
    "Stop",
    [
      { decision: "deny", reason: "test it" },
      { decision: "deny", reason: "lint it" },
    ],
    { decision: "block", reason: "test it\nlint it" },
  ],
  [
    "an output is replaced",
    "PostToolUse",
    [{ updatedOutput: { stdout: "a" } }],
    special("PostToolUse", { updatedToolOutput: { stdout: "a" } }),
  ],
];

test.each(OUTPUTS)("%s", (_name, event, verdicts, output) => {
  expect(buildHookOutput(momentOf(event), verdicts)).toEqual(output as never);
});

test("the output of an MCP tool is replaced in the field that every version knows", () => {
  const moment = momentOf("PostToolUse", "mcp__host__a", "2.1.38");
  const verdict = { updatedOutput: "a" };
  expect(verdictFault(moment, verdict)).toBeUndefined();
  expect(buildHookOutput(moment, [verdict])).toEqual(
    special("PostToolUse", { updatedMCPToolOutput: "a" }) as never,
  );
});

const FAULTS: readonly (readonly [HookEvent, string, HookVerdict, string | undefined])[] = [
  ["PreToolUse", "2.1.38", { decision: "ask", reason: "who?" }, undefined],
  ["PreToolUse", "2.1.330", { reason: "no" }, "reason: it belongs to a decision"],
  ["PreToolUse", "2.1.330", { updatedOutput: 1 }, "updatedOutput: PreToolUse does not take it"],
  ["PostToolUse", "2.1.330", { decision: "deny" }, "deny: PostToolUse does not take it"],
  [
    "UserPromptSubmit",
    "2.1.330",
    { decision: "allow" },
    "allow: UserPromptSubmit does not take it",
  ],
  ["Stop", "2.1.330", { decision: "deny" }, "reason: Stop needs one to go on"],
  ["Stop", "2.1.330", { context: "a" }, "context: Stop does not take it"],
  [
    "PostToolUse",
    "2.1.38",
    { updatedOutput: {} },
    "updatedOutput: before Claude 2.1.197 for MCP tools only",
  ],
  [
    "PreCompact",
    "2.1.38",
    { decision: "deny" },
    "deny: before Claude 2.1.197 PreCompact does not take it",
  ],
  ["PreCompact", "2.1.197", { decision: "deny" }, undefined],
  ["PostCompact", "2.1.330", {}, undefined],
];

test.each(FAULTS)("at %s of claude %s, %j: %p", (event, version, verdict, fault) => {
  expect(verdictFault(momentOf(event, "Bash", version), verdict)).toBe(fault as never);
});

test("an unknown version of claude is taken for the newest one", () => {
  const verdict = { decision: "deny" } as const;
  const moment = { ...momentOf("PreCompact"), claudeVersion: undefined };
  expect(verdictFault(moment, verdict)).toBeUndefined();
});

test("only tools and prompts are refused without an answer, unless the hook lets them pass", () => {
  const denied = { decision: "deny", reason: "late" } as const;
  expect(silentVerdict("PreToolUse", undefined, "late")).toEqual(denied);
  expect(silentVerdict("UserPromptSubmit", "block", "late")).toEqual(denied);
  expect(silentVerdict("PreToolUse", "continue", "late")).toEqual({});
  expect(silentVerdict("Stop", "block", "late")).toEqual({});
});
