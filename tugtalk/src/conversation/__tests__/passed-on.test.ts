/** Claude's reports beside its conversation: ends of compactions, permissions, times, statistics, kinds of errors. */

import { expect, test } from "bun:test";
import { readCapture } from "../../../testing/captures/capture-files.ts";
import { playCapture } from "../../../testing/captures/capture-run.ts";
import { parsedAs } from "../../../testing/captures/captured-line.ts";
import type { Emitted } from "../../../testing/drivers/session-records.ts";
import { resultLine } from "../../../testing/drivers/test-lines.ts";
import type { Fields } from "../../base/json.ts";
import { Conversation } from "../conversation.ts";

async function emittedIn(capture: string, type: string): Promise<readonly (Emitted & Fields)[]> {
  const emitted = await playCapture(await readCapture(capture));
  return emitted.filter((message) => message.type === type) as (Emitted & Fields)[];
}

test.each([
  ["2.1.330/compact_interrupt", [{ result: "failed", error: "API Error: Request was aborted." }]],
  ["2.1.330/slash_compact_then", [{ result: "success" }]],
  ["2.1.197/slash_compact_then", [{ result: "failed", error: "Not enough messages to compact." }]],
  ["2.1.330/auto_compact", [{ result: "success" }]],
  ["2.1.38/slash_compact_then", []],
])("the compactions of %s end as %j", async (capture, expected) => {
  const ends = await emittedIn(capture, "compaction_result");
  expect(ends).toMatchObject(expected);
  expect(ends.map(({ turn_id }) => typeof turn_id)).toEqual(expected.map(() => "string"));
});

test("the end of a compaction that Claude prints twice is emitted once, and the next one again", () => {
  const conversation = new Conversation({ newId: () => "turn", costBaseline: 0, options: {} });
  const status = (fields: Fields) =>
    conversation.apply(parsedAs("system", { type: "system", subtype: "status", ...fields }));
  const failed = { status: null, compact_result: "failed", compact_error: "no" };
  const begin = { status: "compacting" };
  const emitted = [begin, failed, failed, begin, failed].flatMap(status);
  const ends = emitted.filter(({ type }) => type === "compaction_result");
  expect(ends).toHaveLength(2);
});

test.each([
  ["2.1.330/perm_allow", { decision: "accept", source: "user_temporary" }, undefined],
  ["2.1.330/perm_deny", { decision: "reject", source: "user_reject" }, "permission-rule"],
  [
    "2.1.330/hook_pre_deny",
    { decision: "reject", source: "hook", reason_type: "hook" },
    "permission-rule",
  ],
  ["2.1.197/perm_deny", undefined, undefined],
])("the tool result of %s has the decision %j", async (capture, decision, kind) => {
  const [result] = await emittedIn(capture, "tool_result");
  expect(result?.["permission_decision"]).toEqual(decision);
  expect(result?.["non_execution_kind"]).toEqual(kind);
});

test.each([
  ["2.1.330/text", ["time_to_request_ms", "ttft_stream_ms", "ttft_ms", "first_content_frame_ms"]],
  ["2.1.197/text", ["time_to_request_ms", "ttft_stream_ms", "ttft_ms"]],
  ["2.1.38/text", []],
])("the end of the turn of %s has the times %j", async (capture, names) => {
  const [end] = await emittedIn(capture, "turn_complete");
  const timings = Object.entries(end?.["timings"] ?? {});
  expect(timings.map(([name]) => name)).toEqual(names);
  for (const [, ms] of timings) expect(ms).toBeGreaterThan(0);
});

test("the end of a turn counts its subagents (2.1.330)", () => {
  const conversation = new Conversation({ newId: () => "turn", costBaseline: 0, options: {} });
  conversation.turns.ensureOpen("user");
  const by_type = { Explore: 1 };
  const subagent_stats = { spawned: 1, max_depth: 1, completed: 1, failed: 0, by_type };
  const emitted = conversation.apply(parsedAs("result", resultLine({ subagent_stats })));
  expect(emitted.find(({ type }) => type === "turn_complete")).toMatchObject({ subagent_stats });
});

test("an API error has the API's name for it, in its text and at the end of its turn", async () => {
  const capture = "2.1.330/api_400_then_ok";
  const [end] = await emittedIn(capture, "turn_complete");
  expect(end).toMatchObject({ is_error: true, api_error_type: "invalid_request_error" });
  const errors = (await emittedIn(capture, "assistant_text")).filter(({ is_error }) => is_error);
  expect(errors).toMatchObject([{ api_error_type: "invalid_request_error" }]);
});

test.each([
  ["2.1.330/plan_no_plan_file", {}],
  ["2.1.330/plan_approve", { plan: "# Plan\n1. Do it\n" }],
])("the prompt about the plan of %s has the plan, and Claude's input", async (capture, input) => {
  const asked = await emittedIn(capture, "control_request_forward");
  const prompt = asked.find(({ tool_name }) => tool_name === "ExitPlanMode");
  expect(prompt).toMatchObject({ plan: "# Plan\n1. Do it\n", input });
  expect(Object.hasOwn(Object(prompt?.["input"]), "plan")).toBe("plan" in input);
});
