/**
 * The tasks that outlive the turn according to a tool result (§15). The tests of sessions show the tasks of
 * notifications.
 */
import { expect, test } from "bun:test";
import { captured, capturedMessage, parsedAs } from "../../../testing/captures/captured-line.ts";
import { Tasks } from "../tasks.ts";
import { ToolCalls } from "../tool-calls.ts";

const CALL = "toolu_01Mock0047";
const TASK = "a696a3ca5cb196f1a";

const started = (fields: Readonly<Record<string, unknown>> = {}) =>
  capturedMessage("task started", "notification", fields);

test.each([false, undefined])(
  "a task that starts with is_backgrounded %p ends with the turn",
  (is_backgrounded) => {
    const tasks = new Tasks(new ToolCalls());
    tasks.record(started({ is_backgrounded }));
    expect([tasks.callOf(TASK), tasks.isBackground(CALL)]).toEqual([CALL, false]);
  },
);

test("a tool result whose subagent continues makes it a background task", () => {
  const tasks = new Tasks(new ToolCalls());
  tasks.recordResult(capturedMessage("async launched", "user"));
  expect(tasks.isBackground(CALL)).toBe(true);
});

test("a tool result whose command continues makes it a background task (made up after 2.1.197)", () => {
  const tasks = new Tasks(new ToolCalls());
  const tool_use_result = { stdout: "", stderr: "", backgroundTaskId: "bxo5t0teq" };
  tasks.recordResult(capturedMessage("async launched", "user", { tool_use_result }));
  expect(tasks.isBackground(CALL)).toBe(true);
});

test.each(["edit result", "tool error with tags", "mcp image result"])(
  "the result of another tool (%s) makes no background task",
  (name) => {
    const tasks = new Tasks(new ToolCalls());
    const line = captured(name);
    tasks.recordResult(parsedAs("user", line));
    const { message } = line as { message: { content: { tool_use_id: string }[] } };
    expect(tasks.isBackground(message.content[0]?.tool_use_id)).toBe(false);
  },
);

test("the oldest of 1,025 tasks is dropped", () => {
  const tasks = new Tasks(new ToolCalls());
  for (let at = 0; at < 1025; at += 1)
    tasks.record(started({ task_id: `t${at}`, tool_use_id: `c${at}` }));
  expect([tasks.callOf("t0"), tasks.isBackground("c0")]).toEqual([undefined, false]);
  expect([tasks.callOf("t1"), tasks.isBackground("c1024")]).toEqual(["c1", true]);
});
