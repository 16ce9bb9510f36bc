/** Tool calls in the transcript, filled from captured conversations. */
import { expect, test } from "bun:test";
import { reduceCapture } from "../../../testing/captures/reduced-capture.ts";
import { viewEntry } from "../entry-view.ts";

/** The views of all entries of a capture. */
async function entriesOf(capture: string) {
  const { entries, openEntries, mcpServers } = await reduceCapture(capture);
  return [...entries, ...openEntries].map((entry) => viewEntry(entry, mcpServers));
}

test("the transcript has the images of a tool's result", async () => {
  const view = await entriesOf("2.1.330/tool_mcp_image");
  expect(view).toEqual([
    {
      kind: "turn",
      key: "00000000-0000-4000-8000-000000000002",
      turnId: "00000000-0000-4000-8000-000000000002",
      trigger: "user",
      messageIds: ["33326776-4d90-4e73-9c02-0e6228f8ef46"],
      status: "success",
      model: "claude-opus-5-5",
      cost: {
        costUsd: 0.00708,
        durationMs: 359,
        numTurns: 2,
        inputTokens: 200,
        outputTokens: 84,
        cacheReadTokens: 3000,
        cacheCreationTokens: 800,
      },
      end: {
        subtype: "success",
        isError: false,
        stopReason: "end_turn",
        terminalReason: "completed",
      },
      nodes: [
        {
          kind: "user",
          key: "33326776-4d90-4e73-9c02-0e6228f8ef46",
          text: "use the tool",
          source: "host",
          messageId: "33326776-4d90-4e73-9c02-0e6228f8ef46",
          status: "completed",
        },
        {
          kind: "tool",
          key: "toolu_01Mock0258",
          status: "done",
          tool: { name: "mcp__probe__image", label: "image", server: "probe" },
          preview: { body: { kind: "fields" }, rest: [] },
          output: {
            text: "[Image: source: /home/user/.claude/projects/-work-project/fa6687a6-2dd1-46df-80d4-3a2418559307/tool-results/mcp-probe-blob-1795295268960-f4a7s3.png]",
            isError: false,
            images: [
              {
                mediaType: "image/png",
                data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
              },
            ],
          },
          permission: { requestId: "5350313e-95b8-4f4d-8bba-cce777b60c15", outcome: "allow" },
          children: [],
        },
        {
          kind: "text",
          key: "msg_01Mock0428:0",
          msgId: "msg_01Mock0428",
          blockIndex: 0,
          text: "All done.",
          status: "complete",
          stopReason: "end_turn",
        },
      ],
    },
  ]);
});

test("the transcript has the answers to questions", async () => {
  const view = await entriesOf("2.1.330/ask_two_questions");
  expect(view).toEqual([
    {
      kind: "turn",
      key: "00000000-0000-4000-8000-000000000002",
      turnId: "00000000-0000-4000-8000-000000000002",
      trigger: "user",
      messageIds: ["09f0b993-187e-48db-953d-0afab7ac77d9"],
      status: "success",
      model: "claude-opus-5-5",
      cost: {
        costUsd: 0.00708,
        durationMs: 275,
        numTurns: 2,
        inputTokens: 200,
        outputTokens: 84,
        cacheReadTokens: 3000,
        cacheCreationTokens: 800,
      },
      end: {
        subtype: "success",
        isError: false,
        stopReason: "end_turn",
        terminalReason: "completed",
      },
      nodes: [
        {
          kind: "user",
          key: "09f0b993-187e-48db-953d-0afab7ac77d9",
          text: "ask me",
          source: "host",
          messageId: "09f0b993-187e-48db-953d-0afab7ac77d9",
          status: "completed",
        },
        {
          kind: "text",
          key: "msg_01Mock0041:0",
          msgId: "msg_01Mock0041",
          blockIndex: 0,
          text: "Question.",
          status: "complete",
        },
        {
          kind: "tool",
          key: "toolu_01Mock0021",
          status: "done",
          tool: { name: "AskUserQuestion", label: "AskUserQuestion" },
          summary: "Which DB?",
          preview: {
            body: {
              kind: "questions",
              questions: [
                {
                  question: "Which DB?",
                  header: "DB",
                  isMultiSelect: false,
                  options: [
                    { label: "PG", description: "Postgres" },
                    { label: "MySQL", description: "MySQL server" },
                  ],
                },
                {
                  question: "Which colours?",
                  header: "Colours",
                  isMultiSelect: true,
                  options: [
                    { label: "Red", description: "r" },
                    { label: "Blue", description: "b" },
                    { label: "Sea, green", description: "g" },
                  ],
                },
              ],
            },
            rest: [],
          },
          output: {
            text: 'The user answered: "Which DB?"="MySQL", "Which colours?"="Red, Sea, green". Read the answers carefully — they may request clarification, changes, or that you not proceed — and follow what they actually say.',
            isError: false,
            images: [],
          },
          answers: [
            { name: "Which DB?", text: "MySQL" },
            { name: "Which colours?", text: "Red, Sea, green" },
          ],
          permission: { requestId: "8d6576ab-bc22-4077-a3ef-689b760cbc1e", outcome: "answered" },
          children: [],
        },
        {
          kind: "text",
          key: "msg_01Mock0042:0",
          msgId: "msg_01Mock0042",
          blockIndex: 0,
          text: "Thanks.",
          status: "complete",
          stopReason: "end_turn",
        },
      ],
    },
  ]);
});

test("the transcript shows a command that failed with its output", async () => {
  const view = await entriesOf("2.1.38/tool_bash_fail");
  expect(view).toEqual([
    {
      kind: "turn",
      key: "00000000-0000-4000-8000-000000000002",
      turnId: "00000000-0000-4000-8000-000000000002",
      trigger: "user",
      messageIds: ["a5268b88-07ab-4d1c-983a-a525668818c2"],
      status: "success",
      model: "claude-sonnet-4-5-20250929",
      cost: {
        costUsd: 0.01344,
        durationMs: 476,
        numTurns: 2,
        inputTokens: 200,
        outputTokens: 84,
        cacheReadTokens: 3000,
        cacheCreationTokens: 800,
      },
      end: { subtype: "success", isError: false },
      nodes: [
        {
          kind: "user",
          key: "a5268b88-07ab-4d1c-983a-a525668818c2",
          text: "use the tool",
          source: "host",
          messageId: "a5268b88-07ab-4d1c-983a-a525668818c2",
          status: "completed",
        },
        {
          kind: "tool",
          key: "toolu_01Mock0082",
          status: "failed",
          tool: { name: "Bash", label: "Bash" },
          summary: "echo out; echo err >&2; exit 3",
          preview: {
            body: {
              kind: "command",
              command: "echo out; echo err >&2; exit 3",
              isBackground: false,
            },
            rest: [{ name: "description", text: "Fails" }],
          },
          output: { text: "Exit code 3\nerr\n\nout", isError: true, images: [] },
          permission: { requestId: "7d431b8c-362a-4043-910c-a219f1e44a51", outcome: "allow" },
          children: [],
        },
        {
          kind: "text",
          key: "msg_01Mock0150:0",
          msgId: "msg_01Mock0150",
          blockIndex: 0,
          text: "All done.",
          status: "complete",
          stopReason: "end_turn",
        },
      ],
    },
  ]);
});
