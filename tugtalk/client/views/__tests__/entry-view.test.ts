/** The transcript as a tree, filled from captured conversations. */
import { expect, test } from "bun:test";
import { reduceCapture } from "../../../testing/captures/reduced-capture.ts";
import { viewEntry } from "../entry-view.ts";

/** The views of all entries of a capture. */
async function entriesOf(capture: string) {
  const { entries, openEntries, mcpServers } = await reduceCapture(capture);
  return [...entries, ...openEntries].map((entry) => viewEntry(entry, mcpServers));
}

test("the transcript has what an agent did inside the call that started it", async () => {
  const view = await entriesOf("2.1.330/sub_background");
  expect(view).toEqual([
    {
      kind: "turn",
      key: "00000000-0000-4000-8000-000000000002",
      turnId: "00000000-0000-4000-8000-000000000002",
      trigger: "user",
      messageIds: ["83549eb9-d3d4-461d-a5c6-737321db7494"],
      status: "success",
      model: "claude-opus-5-5",
      cost: {
        costUsd: 0.010620000000000001,
        durationMs: 327,
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
          key: "83549eb9-d3d4-461d-a5c6-737321db7494",
          text: "please delegate",
          source: "host",
          messageId: "83549eb9-d3d4-461d-a5c6-737321db7494",
          status: "completed",
        },
        {
          kind: "text",
          key: "msg_01Mock0099:0",
          msgId: "msg_01Mock0099",
          blockIndex: 0,
          text: "Delegating.",
          status: "complete",
        },
        {
          kind: "tool",
          key: "toolu_01Mock0047",
          status: "done",
          tool: { name: "Agent", label: "Agent" },
          summary: "Explore things",
          preview: {
            body: {
              kind: "agent",
              agentType: "general-purpose",
              prompt: "SUBAGENT-TASK-A: look at e.txt",
            },
            rest: [
              { name: "description", text: "Explore things" },
              { name: "run_in_background", text: "true" },
            ],
          },
          output: { text: "Started in the background", isError: false, images: [] },
          taskId: "a696a3ca5cb196f1a",
          children: [
            {
              kind: "tool",
              key: "toolu_01Mock0048",
              status: "done",
              tool: { name: "Bash", label: "Bash" },
              summary: "sleep 2; echo subbash",
              preview: {
                body: { kind: "command", command: "sleep 2; echo subbash", isBackground: false },
                rest: [{ name: "description", text: "x" }],
              },
              output: { text: "subbash", isError: false, images: [] },
              children: [],
            },
            {
              kind: "text",
              key: "msg_01Mock0102:0",
              msgId: "msg_01Mock0102",
              blockIndex: 0,
              text: "Background sub finished.",
              status: "complete",
            },
          ],
        },
        {
          kind: "text",
          key: "msg_01Mock0100:0",
          msgId: "msg_01Mock0100",
          blockIndex: 0,
          text: "Main finished.",
          status: "complete",
          stopReason: "end_turn",
        },
      ],
    },
    {
      kind: "interlude",
      key: "#1",
      nodes: [
        {
          kind: "notice",
          key: "#2",
          notice: {
            kind: "task",
            severity: "info",
            text: "Background task completed: Background sub finished.",
          },
        },
      ],
    },
    {
      kind: "turn",
      key: "00000000-0000-4000-8000-000000000003",
      turnId: "00000000-0000-4000-8000-000000000003",
      trigger: "task",
      messageIds: [],
      status: "success",
      model: "claude-opus-5-5",
      cost: {
        costUsd: 0.00708,
        durationMs: 49,
        numTurns: 1,
        inputTokens: 100,
        outputTokens: 42,
        cacheReadTokens: 1500,
        cacheCreationTokens: 400,
      },
      end: {
        subtype: "success",
        isError: false,
        stopReason: "end_turn",
        terminalReason: "completed",
      },
      nodes: [
        {
          kind: "text",
          key: "msg_01Mock0103:0",
          msgId: "msg_01Mock0103",
          blockIndex: 0,
          text: "Woken.",
          status: "complete",
          stopReason: "end_turn",
        },
      ],
    },
  ]);
});

test("the same entry gives an equal view, whose diffs are not computed again", async () => {
  const { entries, openEntries } = await reduceCapture("2.1.330/perm_allow");
  const views = [...entries, ...openEntries].map((entry) => [viewEntry(entry), viewEntry(entry)]);
  for (const [first, second] of views) expect(second).toEqual(first);
  const diffs = views
    .flat()
    .flatMap(({ nodes }) =>
      nodes.flatMap((node) => (node.kind === "tool" && node.diff !== undefined ? [node.diff] : [])),
    );
  expect(diffs).toHaveLength(2);
  expect(diffs[1]).toBe(diffs[0]);
});

/** Made up: a tool call, and the text of an agent. */
const CALL = { kind: "tool", key: "t", toolUseId: "t", status: "running" } as const;
const TEXT = {
  kind: "text",
  key: "m:0",
  msgId: "m",
  blockIndex: 0,
  text: "Looking.",
  status: "complete",
} as const;

test("an agent whose call is in an earlier entry has a node of its own", () => {
  const view = viewEntry({ kind: "interlude", key: "k", items: [], agents: { t: [TEXT] } });
  expect(view).toEqual({
    kind: "interlude",
    key: "k",
    nodes: [{ kind: "tool", key: "t", status: "running", children: [TEXT] }],
  });
});

test("an agent that names itself as its parent is followed once", () => {
  const view = viewEntry({ kind: "interlude", key: "k", items: [CALL], agents: { t: [CALL] } });
  const leaf = { kind: "tool", key: "t", status: "running", children: [] } as const;
  expect(view).toEqual({
    kind: "interlude",
    key: "k",
    nodes: [{ ...leaf, children: [leaf] }],
  });
});

test("a call whose id is named like a method of objects has no agent", () => {
  const call = { ...CALL, key: "toString", toolUseId: "toString" };
  expect(viewEntry({ kind: "interlude", key: "k", items: [call], agents: {} }).nodes).toEqual([
    { kind: "tool", key: "toString", status: "running", children: [] },
  ]);
});
