/** The updates about tool calls, from captured messages. */
import { expect, test } from "bun:test";
import type { OutboundDraft } from "../../../src/types.ts";
import { readCapture } from "../../../testing/captures/capture-files.ts";
import { playCapture } from "../../../testing/captures/capture-run.ts";
import { clientFeatures } from "../../client-features.ts";
import { fileDiff, plannedDiff } from "../file-diff.ts";
import { titleOf } from "../tool-title.ts";
import { firstState, type Update } from "../update-state.ts";
import { updatesOf } from "../updates-of.ts";
import { allUpdates } from "./support/message-updates.ts";

async function updatesIn(capture: string, capabilities: object = {}): Promise<Update[]> {
  const messages = (await playCapture(await readCapture(capture))) as readonly OutboundDraft[];
  return allUpdates(messages, clientFeatures(capabilities));
}

/** All updates about the first call of a tool. */
function callsIn(updates: readonly Update[], name: string) {
  const calls = updates.flatMap((update) => ("toolCallId" in update ? [update] : []));
  const id = calls.find((call) => call.name === name)?.toolCallId;
  return calls.filter(({ toolCallId }) => toolCallId === id);
}

test("few ended calls of a turn are kept, so that a late call costs no more than the first", () => {
  const id = (index: number) => ({ tool_use_id: `call-${index}`, turn_id: "t" });
  const messages = Array.from({ length: 100 }, (_, index) => [
    { type: "tool_use", tool_name: "Bash", status: "complete", input: {}, ...id(index) },
    { type: "tool_result", output: "", is_error: false, ...id(index) },
  ]).flat() as unknown as readonly OutboundDraft[];
  const first = firstState("/work/project", clientFeatures({}));
  const last = messages.reduce((state, message) => updatesOf(state, message).state, first);
  expect(last.tools.size).toBeLessThan(20);
  expect([...last.tools.keys()].at(-1)).toBe("call-99");
});

const FILE = "/work/project/e.txt";

/** The update about a call with this result. Made up. */
function endOf(call: object, result: object) {
  const id = { tool_use_id: "call", turn_id: "t" };
  const messages = [
    { type: "tool_use", status: "complete", input: {}, ...id, ...call },
    { type: "tool_result", is_error: false, output: "", ...id, ...result },
  ] as unknown as readonly OutboundDraft[];
  return allUpdates(messages, clientFeatures({})).at(-1);
}

test("a failure is sent once, though Claude also gives its text as a structured result", () => {
  const id = { tool_use_id: "call", turn_id: "t" };
  const output = "The user does not want to answer.";
  const messages = [
    { type: "tool_use", tool_name: "AskUserQuestion", status: "complete", input: {}, ...id },
    { type: "tool_result", output, is_error: true, ...id },
    { type: "tool_use_structured", structured_result: `Error: ${output}`, ...id },
  ] as unknown as readonly OutboundDraft[];
  expect(allUpdates(messages).at(-1)).toMatchObject({ status: "failed", rawOutput: output });
});

test("an edit without a structured result is completed at the end of its turn", () => {
  const id = { tool_use_id: "call", turn_id: "t" };
  const messages = [
    { type: "tool_use", tool_name: "Write", status: "complete", input: {}, ...id },
    { type: "tool_result", output: "Written", is_error: false, ...id },
    { type: "turn_cancelled", reason: "shutdown", message_ids: [], turn_id: "t" },
  ] as unknown as readonly OutboundDraft[];
  expect(allUpdates(messages).at(-1)).toMatchObject({
    status: "completed",
    content: [{ content: { text: "Written" } }],
  });
});

test("the tools that a search has found are named", () => {
  const content = [{ type: "tool_reference", tool_name: "WebFetch" }];
  expect(endOf({ tool_name: "ToolSearch" }, { content })).toMatchObject({
    content: [{ content: { type: "text", text: "Tool: WebFetch" } }],
  });
});

test("the report of an agent's own agent is shown without the lines above it, which are for the model", () => {
  const output =
    "  <tools-used-before-summary>Bash</tools-used-before-summary>\n  \n[Subagent hand-back] The text below is the final report of a subagent.\n  By the sluice.\n    Or so.";
  const of = { parent_tool_use_id: "outer" };
  expect(endOf({ tool_name: "Agent", ...of }, { output, ...of })).toMatchObject({
    content: [{ content: { text: "By the sluice.\n  Or so." } }],
  });
});

test("a file that is edited or overwritten is a diff of its whole texts, and no new file", async () => {
  const edit = callsIn(await updatesIn("2.1.330/tool_edit"), "Edit");
  const oldText = "one\ntwo\nthree\nfour\nfive\n";
  const newText = "one\nTWO\nTWO-B\nthree\nfour\nfive\n";
  // With its diff: a client shows each update.
  expect(edit.map(({ status }) => status)).toEqual(["pending", "in_progress", "completed"]);
  expect(edit[1]).toMatchObject({ title: "Edit e.txt", locations: [{ path: FILE }] });
  expect(edit.at(-1)?.content).toEqual([{ type: "diff", path: FILE, oldText, newText }]);
  const write = callsIn(await updatesIn("2.1.330/tool_write_overwrite"), "Write");
  const overwritten = { type: "diff", path: FILE, oldText, newText: "one\nTWO\nthree\n" } as const;
  expect(write.at(-1)?.content).toEqual([overwritten]);
});

test("a change is named by its file, also if its texts are unknown", () => {
  expect(titleOf("/work", "Edit", { replace_all: true, file_path: "/work/a.txt" })).toBe(
    "Edit a.txt",
  );
});

test("a diff has the line ends of the file, before the call and after it", () => {
  const input = { file_path: FILE, old_string: "two\nthree", new_string: "2" };
  const before = "one\r\ntwo\r\nthree\r\nfour";
  const diff = { type: "diff", path: FILE, oldText: before, newText: "one\r\n2\r\nfour" } as const;
  expect(plannedDiff(input, before)).toEqual(diff);
  const result = {
    filePath: FILE,
    originalFile: "one\ntwo\nthree\nfour",
    oldString: "two\nthree",
    newString: "2",
    structuredPatch: [],
  };
  expect(fileDiff(result, input, before)).toEqual(diff);
  // The agent read the file after the call had run: the result has the text before the call.
  expect(fileDiff(result, input, "one\r\n2\r\nfour")).toEqual(diff);
  // The result for an overwritten file has that text too, but the line ends are from the last read of the
  // file.
  const rewritten = {
    filePath: FILE,
    originalFile: "a\nb\n",
    content: "new\n",
    structuredPatch: [],
  };
  const hadCrlf = (path: string) => path === FILE;
  expect(fileDiff(rewritten, undefined, "new\n", hadCrlf)).toMatchObject({ oldText: "a\r\nb\r\n" });
  const write = { file_path: FILE, content: "new\n" };
  expect(plannedDiff(write, before)).toMatchObject({ oldText: before, newText: "new\n" });
  expect(plannedDiff(write, null)).toMatchObject({ oldText: null, newText: "new\n" });
  expect([plannedDiff(write, undefined), plannedDiff(write, "new\n")]).toEqual([
    undefined,
    undefined,
  ]);
});

test("the output of a command is a terminal for a client that shows one, and a fenced text otherwise", async () => {
  const failed = callsIn(await updatesIn("2.1.330/tool_bash_fail"), "Bash").at(-1);
  expect(failed).toMatchObject({ status: "failed" });
  expect(JSON.stringify(failed?.content)).toContain("```console\\n");
  const terminals = { _meta: { terminal_output: true } };
  const [first, , last] = callsIn(await updatesIn("2.1.330/tool_bash_fail", terminals), "Bash");
  const id = first?.toolCallId;
  expect(first).toMatchObject({
    content: [{ type: "terminal", terminalId: id }],
    _meta: { terminal_info: { terminal_id: id, cwd: "/work/project" } },
  });
  expect(last?._meta).toMatchObject({
    terminal_output: { terminal_id: id, data: expect.stringContaining("Exit code") },
    terminal_exit: { terminal_id: id, exit_code: expect.any(Number), signal: null },
  });
  expect(last?.content).toBeUndefined();
});

test.each(["2.1.330/sub_background", "2.1.197/sub_background"])(
  "the call of an agent in the background is open until it ends: %s",
  async (capture) => {
    const updates = await updatesIn(capture);
    const agent = callsIn(updates, "Agent");
    expect(agent.map(({ status }) => status)).toEqual(["pending", "in_progress", "completed"]);
    expect(agent.at(-1)?._meta).toMatchObject({ tugtalk: { background: true } });
    const id = agent[0]?.toolCallId;
    const said = updates.filter(
      ({ _meta }) => Object(_meta?.["claudeCode"])["parentToolUseId"] === id,
    );
    expect(said.map(({ sessionUpdate }) => sessionUpdate)).toContain("agent_message_chunk");
    expect(callsIn(updates, "Bash").at(-1)).toMatchObject({ status: "completed" });
    expect(JSON.stringify(updates)).not.toContain("Async agent launched");
  },
);

test("an agent is a child session, from its start to its end, for a client that shows them", async () => {
  const updates = await updatesIn("2.1.330/sub_two_parallel", { subagents: {} });
  const states = updates.flatMap((update) =>
    update.sessionUpdate === "subagent_update" ? [update] : [],
  );
  const ids = callsIn(updates, "Agent").map(({ toolCallId }) => toolCallId);
  expect(states.map(({ state }) => state?.state)).toEqual(["running", "running", "idle", "idle"]);
  expect(states.map(({ sessionId }) => sessionId)).toContain(String(ids[0]));
});

test("images of a result are content, and tasks are a plan", async () => {
  const images = await updatesIn("2.1.330/tool_mcp_image");
  expect(JSON.stringify(images)).toContain('"type":"image"');
  const plans = (await updatesIn("2.1.38/tool_todowrite")).flatMap((update) =>
    update.sessionUpdate === "plan" ? [update.entries] : [],
  );
  expect(plans.at(-1)?.length).toBeGreaterThan(0);
});

test("a result that comes after its agent was stopped is dropped", async () => {
  const messages = (await playCapture(
    await readCapture("2.1.330/sub_background"),
  )) as readonly OutboundDraft[];
  const of = (type: string) => messages.findIndex((message) => message.type === type);
  const call = messages.find(
    (message) => message.type === "tool_use" && message.parent_tool_use_id,
  );
  const tool_use_id = String(Object(call)["tool_use_id"]);
  const end = messages[of("task_notification")];
  if (end?.type !== "task_notification") throw new Error("no end");
  const late: OutboundDraft[] = [
    { ...end, status: "stopped", summary: "Explore things" },
    { type: "tool_result", tool_use_id, output: "Rejected", is_error: true },
    { type: "tool_use_structured", tool_use_id, structured_result: "Rejected" },
  ];
  const updates = allUpdates([...messages.slice(0, of("turn_complete") + 1), ...late]);
  expect(callsIn(updates, "Bash").map(({ status }) => status)).toEqual(["in_progress", "failed"]);
  expect(callsIn(updates, "Agent").at(-1)).toMatchObject({ status: "failed", content: [] });
  expect(JSON.stringify(updates)).not.toContain("Rejected");
});
