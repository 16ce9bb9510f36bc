/** Lanes, the text that is open, and streams that are cut anywhere (§3b, §11b, §15). */
import { expect, test } from "bun:test";
import {
  blockDelta,
  blockStart,
  blockStop,
  messageEnd,
  messageStart,
  textBlock,
  textDelta,
  textStart,
  toolBlock,
} from "../../../simulator/stream-events.ts";
import {
  blocksIn,
  inShort,
  type Step,
  thinking,
  toolDelta,
} from "../../../testing/drivers/block-steps.ts";
import { Blocks } from "../blocks.ts";

test("blocks of the main conversation and of a subagent with the same message id are kept apart", () => {
  const blocks = new Blocks();
  const main = blocksIn(undefined, blocks);
  const sub = blocksIn("toolu_1", blocks);
  main.run([messageStart("m"), textStart(), textDelta("a")]);
  expect(
    sub.run([
      ["s", textBlock("x")],
      ["m", textBlock("y")],
    ]),
  ).toEqual(['s/0 complete "x"', 'm/0 complete "y"']);
  sub.run([messageStart("s2"), textStart(), textDelta("z")]);
  expect(main.run([textDelta("b"), ["m", textBlock("ab")]])).toEqual([
    'm/0 partial "b"',
    'm/0 complete "ab"',
  ]);
  expect(sub.run(["abandon"])).toEqual(["s2/0 abandoned"]);
});

test("blocks of an agent that outlives the turn stay open when the other blocks are abandoned", () => {
  const blocks = new Blocks();
  blocksIn(undefined, blocks).run([messageStart("m"), textStart()]);
  blocksIn("toolu_1", blocks).run([messageStart("s"), textStart()]);
  expect(blocks.abandon((parentToolUseId) => parentToolUseId === "toolu_1").map(inShort)).toEqual([
    "m/0 abandoned",
  ]);
  expect(blocks.abandon()).toEqual([
    {
      type: "assistant_text",
      parent_tool_use_id: "toolu_1",
      msg_id: "s",
      block_index: 0,
      is_partial: false,
      status: "abandoned",
    },
  ]);
});

test("each of 300 subagents that stream at once ends its open block", () => {
  const blocks = new Blocks();
  const ids = Array.from({ length: 300 }, (_, at) => `toolu_${at}`);
  for (const id of ids) blocksIn(id, blocks).run([messageStart("s"), textStart(), textDelta("z")]);
  const abandoned = blocks.abandon();
  expect(abandoned.map(({ parent_tool_use_id }) => parent_tool_use_id)).toEqual(ids);
});

test("the open text is the text of complete blocks and of open blocks", () => {
  const { blocks, run } = blocksIn();
  expect(blocks.openText).toBe("");
  run([
    messageStart("m"),
    textStart(),
    textDelta("a"),
    ["m", textBlock("a")],
    blockStop(),
    textStart(1),
    textDelta("b", 1),
  ]);
  expect(blocks.openText).toBe("ab");
});

test("the open text contains no thinking and no text of a subagent", () => {
  const blocks = new Blocks();
  blocksIn("toolu_1", blocks).run([messageStart("s"), textStart(), textDelta("sub")]);
  expect(blocks.openText).toBe("");
  blocksIn(undefined, blocks).run([
    messageStart("m"),
    blockStart(0, { type: "thinking" }),
    blockDelta(0, { type: "thinking_delta", thinking: "hm" }),
  ]);
  expect(blocks.openText).toBe("");
});

test("a stream that is cut after any number of events ends each block that it began exactly once", () => {
  const whole: readonly Step[] = [
    messageStart("m"),
    blockStart(0, { type: "thinking" }),
    blockDelta(0, { type: "thinking_delta", thinking: "h" }),
    ["m", thinking("h")],
    blockStop(0),
    textStart(1),
    textDelta("a", 1),
    textDelta("b", 1),
    ["m", textBlock("ab")],
    blockStop(1),
    blockStart(2, toolBlock("t", "Read")),
    toolDelta(2, "{}"),
    ["m", toolBlock("t", "Read")],
    blockStop(2),
    ...messageEnd,
  ];
  for (let length = 0; length <= whole.length; length += 1) {
    const emitted = blocksIn().run([...whole.slice(0, length), "abandon", "abandon"]);
    const ends = emitted
      .filter((line) => / (complete|abandoned)/.test(line))
      .map((line) => line.slice(0, 3));
    const begun = emitted
      .filter((line) => / (partial|streaming)/.test(line))
      .map((line) => line.slice(0, 3));
    expect(ends, `cut after ${length}`).toEqual([...new Set(ends)]);
    expect(ends, `cut after ${length}`).toEqual(expect.arrayContaining(begun));
  }
});
