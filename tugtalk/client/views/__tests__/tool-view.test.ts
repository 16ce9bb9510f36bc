/** Tool calls in the transcript, filled from captured conversations. */
import { expect, test } from "bun:test";
import { reduceCapture } from "../../../testing/captures/reduced-capture.ts";
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
