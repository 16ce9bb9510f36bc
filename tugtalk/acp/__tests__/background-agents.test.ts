/** The agents that the answer to a prompt waits for. */
import { expect, test } from "bun:test";
import type { OutboundDraft } from "../../src/types.ts";
import { readCapture } from "../../testing/captures/capture-files.ts";
import { playCapture } from "../../testing/captures/capture-run.ts";
import { agentsAfter, NO_AGENTS, waitOf } from "../background-agents.ts";

/** The agents that the first turn of a capture waits for, from its end on, after each change. */
async function waits(capture: string) {
  const messages = (await playCapture(await readCapture(capture))) as readonly OutboundDraft[];
  const first = messages.find(({ type }) => type === "turn_started");
  const turnId = first !== undefined && "turn_id" in first ? String(first.turn_id) : "";
  let agents = NO_AGENTS;
  let hasEnded = false;
  const seen: unknown[] = [];
  for (const message of messages) {
    agents = agentsAfter(agents, message);
    hasEnded ||= message.type === "turn_complete" && message.turn_id === turnId;
    if (hasEnded && seen.at(-1) !== waitOf(agents, turnId)) seen.push(waitOf(agents, turnId));
    if (hasEnded && seen.length === 0) seen.push(undefined);
  }
  return seen;
}

test.each([
  ["2.1.330/sub_background", ["agents", "turn", "agents", undefined]],
  ["2.1.197/sub_background", ["agents", "turn", "agents", undefined]],
  ["2.1.330/sub_two_parallel", ["agents", undefined]],
  // This version reports no ends of agents.
  ["2.1.38/sub_background", [undefined]],
  // A command is no agent.
  ["2.1.330/bg_bash_short", [undefined]],
  ["2.1.330/text", [undefined]],
] as const)("the first answer in %s waits for %j", async (capture, expected) => {
  expect(await waits(capture)).toEqual([...expected]);
});

test("the end of an agent that the same turn still takes up has no turn of its own", () => {
  const turn_id = "t";
  const messages: OutboundDraft[] = [
    { type: "task_started", task_id: "a", tool_use_id: "call", task_type: "local_agent" },
    {
      type: "tool_use_structured",
      tool_use_id: "call",
      structured_result: { status: "async_launched" },
      turn_id,
    },
    { type: "task_notification", task_id: "a", tool_use_id: "call", status: "completed" },
  ];
  const ended = messages.reduce(agentsAfter, NO_AGENTS);
  expect(waitOf(ended, turn_id)).toBe("turn");
  const result = { type: "tool_result", tool_use_id: "b", output: "", is_error: false } as const;
  const ofAgent = { ...result, parent_tool_use_id: "call" };
  expect(waitOf(agentsAfter(ended, ofAgent), turn_id)).toBe("turn");
  expect(waitOf(agentsAfter(ended, { ...result, turn_id }), turn_id)).toBeUndefined();
});

test.each([
  ["before", false],
  ["after", true],
])(
  "an answer waits for an agent that goes on with a message, whose task begins %s the result of that, until Claude's turn about its end",
  (_name, isLate) => {
    const ofTask = { task_id: "a", tool_use_id: "message" } as const;
    const structured_result = { success: true, resumedAgentId: "a" };
    const messages: OutboundDraft[] = [
      { type: "task_started", ...ofTask, task_type: "local_agent" },
      { type: "tool_use_structured", tool_use_id: "message", structured_result, turn_id: "t" },
    ];
    const inOrder = isLate ? messages.toReversed() : messages;
    const agents = inOrder.reduce(agentsAfter, NO_AGENTS);
    expect(waitOf(agents, "t")).toBe("agents");
    const ended = agentsAfter(agents, {
      type: "task_notification",
      ...ofTask,
      status: "completed",
    });
    expect(waitOf(ended, "t")).toBe("turn");
  },
);

test("an answer waits for an agent that an agent in the background has started", () => {
  const task = { type: "task_started", task_id: "a", task_type: "local_agent" } as const;
  const end = { type: "task_notification", task_id: "a", status: "completed" } as const;
  const launch = { status: "async_launched" };
  const messages: OutboundDraft[] = [
    { ...task, tool_use_id: "outer" },
    {
      type: "tool_use_structured",
      tool_use_id: "outer",
      structured_result: launch,
      turn_id: "t",
    },
    { ...task, tool_use_id: "inner" },
    {
      type: "tool_result",
      tool_use_id: "inner",
      output: "Async agent launched successfully.",
      is_error: false,
      parent_tool_use_id: "outer",
    },
    { ...end, tool_use_id: "outer" },
  ];
  const agents = messages.reduce(agentsAfter, NO_AGENTS);
  expect(waitOf(agents, "t")).toBe("agents");
  expect(waitOf(agentsAfter(agents, { ...end, tool_use_id: "inner" }), "t")).toBe("turn");
});
