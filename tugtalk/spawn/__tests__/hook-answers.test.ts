/** The bridge accepts every answer that the types allow a function at a hook. */
import { expect, test } from "bun:test";
import { type HookVerdict, verdictFault } from "../../src/claude/hook-output.ts";
import type { HookEvent } from "../../src/messages/hook-events.ts";
import type { HookAnswers } from "../hooks.ts";

/** The reason why the newest Claude does not accept the answer, which has the type of its event. */
function faultAt<Event extends HookEvent>(
  event: Event,
  answer: HookAnswers[Event],
): string | undefined {
  const moment = { event, toolName: "Bash", claudeVersion: "2.1.330" };
  return verdictFault(moment, answer as HookVerdict);
}

test("an answer of the type of its event is taken", () => {
  expect([
    faultAt("PreToolUse", { decision: "allow", reason: "a", updatedInput: {}, context: "b" }),
    faultAt("PostToolUse", { updatedOutput: 1, context: "a", stop: "b" }),
    faultAt("UserPromptSubmit", { decision: "deny" }),
    faultAt("Stop", { decision: "deny", reason: "a" }),
    faultAt("PreCompact", { decision: "deny" }),
    faultAt("PostCompact", {}),
  ]).toEqual(Array.from({ length: 6 }));
});

test("an answer that is not of the type of its event is refused", () => {
  const faults = [
    // @ts-expect-error
    faultAt("PreToolUse", { updatedOutput: 1 }),
    // @ts-expect-error
    faultAt("PreToolUse", { reason: "a" }),
    // @ts-expect-error
    faultAt("PostToolUse", { decision: "deny" }),
    // @ts-expect-error
    faultAt("UserPromptSubmit", { decision: "allow" }),
    // @ts-expect-error
    faultAt("Stop", { decision: "deny" }),
    // @ts-expect-error
    faultAt("SubagentStart", { stop: "a" }),
    // @ts-expect-error
    faultAt("PostCompact", { context: "a" }),
  ];
  expect(faults).toEqual(faults.map(() => expect.any(String)));
});
