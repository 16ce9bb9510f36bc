/** Turns, blocks, agents and notices in the transcript. Made-up messages in the shape of captured ones. */
import { describe, expect, test } from "bun:test";
import type { OtherMessage } from "../../session-input.ts";
import { entriesOf, itemsOf, reduced } from "./reduced.ts";

function started(turn_id: string, message_ids: readonly string[] = []): OtherMessage {
  return { type: "turn_started", turn_id, message_ids, trigger: "user" };
}

function complete(turn_id: string, fields: Readonly<Record<string, unknown>> = {}): OtherMessage {
  const end = { result: "success", subtype: "success", is_error: false, permission_denials: [] };
  return { type: "turn_complete", turn_id, message_ids: [], trigger: "user", ...end, ...fields };
}

function delta(
  turn_id: string,
  text: string,
  fields: Readonly<Record<string, unknown>> = {},
): OtherMessage {
  const block = { msg_id: "m", block_index: 0, is_partial: true, status: "partial" };
  return { type: "assistant_text", turn_id, text, ...block, ...fields };
}

function call(tool_use_id: string, fields: Readonly<Record<string, unknown>> = {}): OtherMessage {
  const tool = { msg_id: "m2", block_index: 1, tool_name: "Bash", status: "complete", input: {} };
  return { type: "tool_use", tool_use_id, ...tool, ...fields };
}

function result(tool_use_id: string, fields: Readonly<Record<string, unknown>> = {}): OtherMessage {
  return { type: "tool_result", tool_use_id, output: "out", is_error: false, ...fields };
}

const REMARK = { type: "informational", content: "a remark", level: "info" };

describe("turns", () => {
  test("entries stay in the order of their beginnings when a later turn ends first", () => {
    const state = reduced([
      started("a"),
      started("b"),
      complete("b"),
      REMARK,
      complete("a"),
      REMARK,
    ]);
    expect(entriesOf(state).map(({ key }) => key)).toEqual(["a", "b", "#2"]);
  });

  test("items between turns are an interlude of their own", () => {
    const state = reduced([REMARK, started("a"), complete("a"), REMARK, REMARK, started("b")]);
    expect(entriesOf(state).map(({ kind, items }) => `${kind} ${items.length}`)).toEqual([
      "interlude 1",
      "turn 0",
      "interlude 2",
      "turn 0",
    ]);
  });

  test("a turn has the model that the session has at its end", () => {
    const changed = { type: "model_changed", model: "model-b", source: "host" };
    const first = reduced([started("a"), changed, complete("a")]);
    const later = reduced([started("b"), { ...changed, model: "model-c" }], first);
    expect(entriesOf(later)).toMatchObject([{ model: "model-b" }, { status: "running" }]);
    expect(entriesOf(later)[1]).not.toHaveProperty("model");
  });

  test("a turn without a result has the reason of its end, and its calls are abandoned", () => {
    const cancelled = { type: "turn_cancelled", message_ids: [], trigger: "user", turn_id: "a" };
    const open = reduced([started("a"), delta("a", "Hel"), call("toolu", { turn_id: "a" })]);
    const [turn] = entriesOf(reduced([{ ...cancelled, reason: "stalled" }], open));
    expect(turn).toMatchObject({ status: "cancelled", end: { subtype: "stalled", isError: true } });
    expect(turn?.items).toMatchObject([
      { text: "Hel", status: "abandoned" },
      { status: "abandoned" },
    ]);
    const [requested] = entriesOf(reduced([{ ...cancelled, reason: "shutdown" }], open));
    expect(requested).toMatchObject({ end: { subtype: "shutdown", isError: false } });
  });

  test("a finished turn keeps the values of its end", () => {
    const end = { message_ids: ["x", "y"], stop_reason: "end_turn", structured_output: { n: 1 } };
    expect(entriesOf(reduced([started("a", ["x"]), complete("a", end)]))).toMatchObject([
      {
        messageIds: ["x", "y"],
        status: "success",
        end: { subtype: "success", stopReason: "end_turn", structuredOutput: { n: 1 } },
      },
    ]);
  });
});

describe("blocks", () => {
  const open = reduced([started("a"), started("b"), delta("a", "Hel"), delta("a", "lo")]);

  test("deltas are joined, in the turn that they name", () => {
    expect(itemsOf(open)).toMatchObject([{ text: "Hello", status: "streaming" }]);
    expect(entriesOf(open)[0]?.items).toHaveLength(1);
  });

  test("the last block of a message keeps why the model stopped, also in a subagent", () => {
    const more = { parent_tool_use_id: "toolu", turn_id: "a" };
    const state = reduced([
      started("a"),
      delta("a", "Hel"),
      call("toolu", { msg_id: "m", turn_id: "a" }),
      { ...delta("a", "inner"), ...more },
      { type: "message_complete", msg_id: "m", stop_reason: "tool_use", turn_id: "a" },
      { type: "message_complete", msg_id: "m", stop_reason: "refusal", ...more },
      { type: "message_complete", msg_id: "unknown", stop_reason: "refusal", turn_id: "a" },
    ]);
    const [first, last] = itemsOf(state);
    expect(first).not.toHaveProperty("stopReason");
    expect(last).toMatchObject({ kind: "tool", stopReason: "tool_use" });
    expect(entriesOf(state)[0]?.agents["toolu"]).toMatchObject([{ stopReason: "refusal" }]);
  });

  test("a delta changes the open turn and its block only", () => {
    const finished = [started("z"), delta("z", "old"), complete("z")];
    const before = reduced([...finished, started("a"), call("toolu"), delta("a", "Hel")]);
    const after = reduced([delta("a", "lo")], before);
    const { openEntries: openBefore, ...restBefore } = before;
    const { openEntries, ...rest } = after;
    for (const [name, value] of Object.entries(rest))
      expect(restBefore[name as keyof typeof restBefore] === value).toBe(true);
    expect(openEntries[0]?.items[0]).toBe(openBefore[0]?.items[0] as never);
    expect(openEntries[0]?.agents).toBe(openBefore[0]?.agents as never);
    expect(openEntries[0]?.items[1]).toMatchObject({ text: "Hello" });
  });

  test("an abandoned block keeps the text that has arrived", () => {
    const { text: _text, ...end } = delta("a", "", { status: "abandoned", is_partial: false });
    expect(itemsOf(reduced([end], open))).toMatchObject([{ text: "Hello", status: "abandoned" }]);
  });

  test("a retracted block is removed, or all blocks of its message", () => {
    const second = delta("a", "two", { block_index: 1 });
    const both = reduced([second], open);
    const retracted = { type: "message_retracted", turn_id: "a", msg_id: "m", reason: "refusal" };
    expect(itemsOf(reduced([{ ...retracted, block_index: 0 }], both))).toMatchObject([
      { text: "two" },
    ]);
    expect(itemsOf(reduced([retracted], both))).toEqual([]);
  });
});

describe("agents", () => {
  const agent = { parent_tool_use_id: "agent" };
  const task = { type: "task_started", task_id: "x", tool_use_id: "agent", is_backgrounded: true };
  const inner = [
    call("nested", { ...agent, msg_id: "m3" }),
    call("deep", { parent_tool_use_id: "nested", msg_id: "m4" }),
  ];
  const background = reduced([
    started("a"),
    call("agent", { turn_id: "a", tool_name: "Agent" }),
    task,
    result("agent", { turn_id: "a" }),
    complete("a"),
    started("b"),
    ...inner,
  ]);

  test("items of background agents are in the entry of their call, at any depth", () => {
    expect(entriesOf(background)[0]).toMatchObject({
      agents: { agent: [{ key: "nested" }], nested: [{ key: "deep" }] },
    });
    expect(entriesOf(background)[1]).toMatchObject({ items: [], agents: {} });
  });

  test("calls of background agents go on after the turn, and of foreground agents do not", () => {
    const start = [started("a"), call("agent", { turn_id: "a" })];
    const foreground = reduced([...start, ...inner, complete("a")]);
    expect(entriesOf(foreground)[0]?.agents).toMatchObject({ nested: [{ status: "abandoned" }] });
    const going = reduced([...start, task, result("agent"), ...inner, complete("a")]);
    expect(entriesOf(going)[0]?.agents).toMatchObject({ nested: [{ status: "running" }] });
  });

  test("calls of an agent are abandoned when its task ends without their results", () => {
    const ended = {
      type: "task_notification",
      task_id: "x",
      tool_use_id: "agent",
      status: "stopped",
    };
    const state = reduced([ended], background);
    expect(entriesOf(state)[0]?.agents).toMatchObject({
      agent: [{ status: "abandoned" }],
      nested: [{ status: "abandoned" }],
    });
    expect(itemsOf(state).at(-1)).toMatchObject({ notice: { kind: "task", status: "stopped" } });
  });

  test("everything is abandoned when the process exits", () => {
    const exit = { type: "process_exit", pid: 1, exit_code: 137, signal: "SIGKILL" };
    const ended = { ...exit, expected: false, stderr_tail: "", will_restart: true };
    const state = reduced([ended], background);
    expect(JSON.stringify(entriesOf(state)[0])).not.toMatch(/"running"/);
    expect(state.backgroundTasks).toMatchObject([{ status: "abandoned" }]);
    expect(itemsOf(state).at(-1)).toMatchObject({ notice: { kind: "exit", signal: "SIGKILL" } });
  });

  test("an agent whose call was never seen gets a call without a name", () => {
    const state = reduced([started("a"), call("inner", { parent_tool_use_id: "lost" })]);
    expect(entriesOf(state)[0]).toMatchObject({
      items: [{ key: "lost", toolUseId: "lost" }],
      agents: { lost: [{ key: "inner" }] },
    });
    expect(itemsOf(state)[0]).not.toHaveProperty("name");
  });

  test("a task in the foreground ends without a notice", () => {
    const shell = { task_id: "b", tool_use_id: "toolu" };
    const state = reduced([
      started("a"),
      call("toolu"),
      { type: "task_started", ...shell },
      { type: "task_notification", ...shell, status: "completed" },
    ]);
    expect(itemsOf(state).map(({ kind }) => kind)).toEqual(["tool"]);
  });
});

describe("notices", () => {
  const retry = { type: "api_retry", turn_id: "a", max_retries: 10, retry_delay_ms: 500 };
  const first = { ...retry, attempt: 1, error_status: 529, error: "overloaded" };

  test("retries of one call are one notice, which goes away when the call succeeds", () => {
    const second = reduced([started("a"), first, { ...first, attempt: 2 }]);
    expect(itemsOf(second)).toMatchObject([{ notice: { kind: "retry", attempt: 2 } }]);
    expect(itemsOf(reduced([delta("a", "Hi")], second)).map(({ kind }) => kind)).toEqual(["text"]);
    expect(itemsOf(reduced([complete("a")], second))).toEqual([]);
  });

  test("a rate limit is a notice when its state changes to one that limits", () => {
    const limit = (status: string) => ({ type: "rate_limit", rate_limit_info: { status } });
    const state = reduced(["allowed", "allowed_warning", "allowed_warning", "rejected"].map(limit));
    expect(itemsOf(state)).toMatchObject([
      { notice: { kind: "rate_limit", status: "allowed_warning" } },
      { notice: { kind: "rate_limit", status: "rejected" } },
    ]);
  });

  test("an exit with 1 after a turn that failed is no crash", () => {
    const exit = { type: "process_exit", pid: 1, exit_code: 1, signal: null };
    const ended = { ...exit, expected: false, stderr_tail: "", will_restart: true };
    const failed = { result: "error", subtype: "error_during_execution", is_error: true };
    expect(itemsOf(reduced([started("a"), complete("a", failed), ended]))).toEqual([]);
    expect(itemsOf(reduced([started("a"), complete("a"), ended]))).toMatchObject([
      { kind: "notice" },
    ]);
  });
});
