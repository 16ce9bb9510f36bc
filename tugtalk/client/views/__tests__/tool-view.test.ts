/** Tool calls in the transcript, filled from captured conversations. */
import { expect, test } from "bun:test";
import { reduceCapture, reduceMessages } from "../../../testing/captures/reduced-capture.ts";
import { viewEntry } from "../entry-view.ts";

/** The tool calls of a capture. */
async function callsOf(capture: string) {
  const { entries, openEntries, mcpServers } = await reduceCapture(capture);
  const nodes = [...entries, ...openEntries].flatMap((entry) => viewEntry(entry, mcpServers).nodes);
  return nodes.filter(({ kind }) => kind === "tool");
}

test("the transcript has the images of a tool's result", async () => {
  expect(await callsOf("2.1.330/tool_mcp_image")).toMatchObject([
    {
      tool: { label: "image", server: "probe" },
      output: {
        text: expect.stringContaining("[Image: source: "),
        images: [{ mediaType: "image/png", data: expect.stringMatching(/^iVBORw0KGgo/) }],
      },
    },
  ]);
});

test.each([
  "2.1.330/interrupt_bash",
  "2.1.38/interrupt_permission",
  "2.1.197/interrupt_permission",
  "2.1.330/interrupt_permission_two",
])("the calls of %s were stopped, and have not failed", async (capture) => {
  const calls = await callsOf(capture);
  expect(calls.length).toBeGreaterThan(0);
  for (const call of calls) expect(call).toMatchObject({ status: "abandoned" });
});

test("the transcript has the answers to questions", async () => {
  expect(await callsOf("2.1.330/ask_two_questions")).toMatchObject([
    {
      status: "done",
      summary: "Which DB?",
      preview: {
        body: { kind: "questions", questions: [{ header: "DB" }, { header: "Colours" }] },
        rest: [],
      },
      answers: [
        { name: "Which DB?", text: "MySQL" },
        { name: "Which colours?", text: "Red, Sea, green" },
      ],
      permission: { outcome: "answered" },
    },
  ]);
});

test("the transcript shows a command that failed with its output", async () => {
  const command = "echo out; echo err >&2; exit 3";
  expect(await callsOf("2.1.38/tool_bash_fail")).toMatchObject([
    {
      status: "failed",
      tool: { name: "Bash", label: "Bash" },
      summary: command,
      preview: {
        body: { kind: "command", command, isBackground: false },
        rest: [{ name: "description", text: "Fails" }],
      },
      output: { text: "Exit code 3\nerr\n\nout", isError: true, images: [] },
      permission: { outcome: "allow" },
    },
  ]);
});

test("a call of a tool of the host is one card with the host's name for it, its input and its result", () => {
  const call = { tool_use_id: "t", tool_name: "mcp__host__water_level", turn_id: "a" };
  const request = { request_id: "r", turn_id: "a" };
  const { openEntries, mcpServers } = reduceMessages([
    { type: "system_metadata", session_id: "s", mcp_servers: [{ name: "host" }] },
    { type: "turn_started", turn_id: "a", message_ids: [], trigger: "user" },
    {
      type: "tool_use",
      ...call,
      ...{ msg_id: "m", block_index: 0, status: "complete", input: { place: "the weir" } },
    },
    { type: "hook_request", ...request, hook_id: "h", event: "PreToolUse", input: {} },
    { type: "control_request_resolved", ...request, outcome: "answered" },
    { type: "host_tool_request", ...request, tool_name: "water_level", input: {} },
    { type: "control_request_resolved", ...request, outcome: "answered" },
    { type: "tool_result", ...call, output: "High.", is_error: false },
  ]);
  const nodes = openEntries.flatMap((entry) => viewEntry(entry, mcpServers).nodes);
  expect(nodes).toMatchObject([
    {
      kind: "tool",
      status: "done",
      tool: { label: "water_level", server: "host" },
      summary: "the weir",
      output: { text: "High.", isError: false },
    },
  ]);
});
