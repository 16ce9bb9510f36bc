/** The transcript as a tree, filled from captured conversations. */
import { expect, test } from "bun:test";
import { reduceCapture } from "../../../testing/captures/reduced-capture.ts";
import { initialSession, reduceSession } from "../../reduce-session.ts";
import type { ReducedSession } from "../../reduced-session.ts";
import { viewEntry } from "../entry-view.ts";

/** The views of all entries of a capture. */
async function entriesOf(capture: string) {
  const { entries, openEntries, mcpServers } = await reduceCapture(capture);
  return [...entries, ...openEntries].map((entry) => viewEntry(entry, mcpServers));
}

test("the transcript has the items of an agent inside the call that started it", async () => {
  expect(await entriesOf("2.1.330/sub_background")).toMatchObject([
    {
      kind: "turn",
      turnId: "00000000-0000-4000-8000-000000000002",
      status: "success",
      nodes: [
        { kind: "user", text: "please delegate", source: "host", status: "completed" },
        { kind: "text", text: "Delegating." },
        {
          kind: "tool",
          key: "toolu_01Mock0047",
          status: "done",
          summary: "Explore things",
          output: { text: "Started in the background" },
          taskId: "a696a3ca5cb196f1a",
          children: [
            { kind: "tool", key: "toolu_01Mock0048", output: { text: "subbash" }, children: [] },
            { kind: "text", text: "Background sub finished." },
          ],
        },
        { kind: "text", text: "Main finished." },
      ],
    },
    {
      kind: "interlude",
      nodes: [
        {
          kind: "notice",
          notice: {
            kind: "task",
            severity: "info",
            text: "Background task completed: Explore things",
            report: "Background sub finished.",
          },
        },
      ],
    },
    { kind: "turn", trigger: "task", messageIds: [], nodes: [{ kind: "text", text: "Woken." }] },
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

test.each([
  ["old", "Went on after the usage limit, with the same message"],
  [undefined, "Went on after the usage limit, with “continue”"],
])(
  "what a host has sent by itself after the usage limit is a notice (again: %p)",
  (again, text) => {
    const after_limit = again === undefined ? {} : { again };
    const { openEntries } = [
      { type: "message_sent", message_id: "m", message: "Hi", sent_at: 1, after_limit },
      { type: "turn_started", turn_id: "t", message_ids: ["m"], trigger: "user" },
      { type: "message_status", message_id: "m", status: "started", turn_id: "t" },
      { type: "user_text", turn_id: "t", message_id: "m", text: "Hi", kind: "host" },
    ].reduce<ReducedSession>(reduceSession, initialSession);
    expect(openEntries.map((entry) => viewEntry(entry))).toMatchObject([
      {
        afterLimit: { messageId: "m", ...after_limit },
        nodes: [{ kind: "notice", key: "m", notice: { severity: "info", text } }],
      },
    ]);
  },
);
