/** From the stream of one message and its snapshots to blocks that each end once (§3b, §11b, §16). */
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
import { parsedAs } from "../../../testing/captures/captured-line.ts";
import { blocksIn, type Step, thinking, toolDelta } from "../../../testing/drivers/block-steps.ts";
import { assistantLine } from "../../../testing/drivers/test-lines.ts";
import type { BlockMessage } from "../../routing/block-messages.ts";
import { routeTopLevelEvent } from "../../routing/router.ts";
import { MAX_KEPT_TEXT } from "../streamed-text.ts";

/** The beginning of a stream of one text. */
const STREAMED = [messageStart("m"), textStart(), textDelta("a")];

/** The beginning of a stream of one tool call. */
const CALLING = [messageStart("m"), blockStart(0, toolBlock("t", "Read"))];

type Row = readonly [name: string, steps: readonly Step[], emitted: readonly string[]];

const ROWS: readonly Row[] = [
  [
    "partials become one complete block at the snapshot, before the stop",
    [...STREAMED, textDelta("b"), ["m", textBlock("ab")], blockStop(), ...messageEnd],
    ['m/0 partial "a"', 'm/0 partial "b"', 'm/0 complete "ab"', "m end_turn"],
  ],
  [
    "a block that its snapshot has completed does not end again with the stream",
    [...STREAMED, ["m", textBlock("a")], blockStop(), ...messageEnd, "abandon"],
    ['m/0 partial "a"', 'm/0 complete "a"', "m end_turn"],
  ],
  [
    "a block that stopped without a snapshot is complete when the message is",
    [...STREAMED, blockStop(), ...messageEnd],
    ['m/0 partial "a"', 'm/0 complete "a"', "m end_turn"],
  ],
  [
    "an empty block that stopped is complete with an empty text",
    [messageStart("m"), textStart(), blockStop(), ...messageEnd],
    ['m/0 complete ""', "m end_turn"],
  ],
  [
    "a snapshot behind an empty block that stopped is of the block after it",
    [
      ...[messageStart("m"), textStart(), blockStop()],
      ...[textStart(1), textDelta("a", 1), ["m", textBlock("a")] as const, blockStop(1)],
      ...messageEnd,
    ],
    ['m/1 partial "a"', 'm/1 complete "a"', 'm/0 complete ""', "m end_turn"],
  ],
  [
    "a message that stops without a stop reason abandons its blocks",
    [...STREAMED, blockStop(), { type: "message_stop" }],
    ['m/0 partial "a"', "m/0 abandoned"],
  ],
  [
    "a block that never stopped is abandoned once",
    [...STREAMED, "abandon", "abandon"],
    ['m/0 partial "a"', "m/0 abandoned"],
  ],
  [
    "a block that starts again is abandoned, and its snapshot is a new block",
    [...STREAMED, textStart(), textDelta("b"), ["m", textBlock("b")], blockStop()],
    ['m/0 partial "a"', "m/0 abandoned", 'm/1 complete "b"'],
  ],
  [
    "a block that continues as another kind is abandoned",
    [
      messageStart("m"),
      blockStart(0, thinking("")),
      textDelta("a"),
      textDelta("b"),
      ["m", textBlock("ab")],
    ],
    ["m/0 abandoned", 'm/1 complete "ab"'],
  ],
  [
    "a stream with another message id abandons the open blocks",
    [...STREAMED, messageStart("n"), textStart(), textDelta("b"), ["n", textBlock("b")]],
    ['m/0 partial "a"', "m/0 abandoned", 'n/0 partial "b"', 'n/0 complete "b"'],
  ],
  [
    "a snapshot with another message id abandons the open blocks and is a new block",
    [...STREAMED, ["n", textBlock("whole")], textDelta("late"), blockStop()],
    ['m/0 partial "a"', "m/0 abandoned", 'n/0 complete "whole"'],
  ],
  [
    "a second stream with the same message id continues the block indices of the first one",
    [...STREAMED, messageStart("m"), textStart(), textDelta("b"), ["m", textBlock("b")]],
    ['m/0 partial "a"', "m/0 abandoned", 'm/1 partial "b"', 'm/1 complete "b"'],
  ],
  [
    "a second stream with the same message id that breaks off is abandoned after a complete first one",
    [
      ...STREAMED,
      blockStop(),
      ...messageEnd,
      messageStart("m"),
      textStart(),
      textDelta("b"),
      blockStop(),
      { type: "message_stop" },
    ],
    ['m/0 partial "a"', 'm/0 complete "a"', "m end_turn", 'm/1 partial "b"', "m/1 abandoned"],
  ],
  [
    "a snapshot longer than the stream adds the missing text, then completes the block",
    [...STREAMED, ["m", textBlock("abc")]],
    ['m/0 partial "a"', 'm/0 partial "bc"', 'm/0 complete "abc"'],
  ],
  [
    "a snapshot that contradicts the stream abandons the block and is a new block",
    [messageStart("m"), textStart(), textDelta("ab"), ["m", textBlock("ax")]],
    ['m/0 partial "ab"', "m/0 abandoned", 'm/1 complete "ax"'],
  ],
  [
    "a snapshot shorter than the stream contradicts it",
    [messageStart("m"), textStart(), textDelta("ab"), ["m", textBlock("a")]],
    ['m/0 partial "ab"', "m/0 abandoned", 'm/1 complete "a"'],
  ],
  [
    "deltas of a block that has ended are dropped",
    [...STREAMED, ["m", textBlock("a")], textDelta("late"), blockStop(), ...messageEnd],
    ['m/0 partial "a"', 'm/0 complete "a"', "m end_turn"],
  ],
  [
    "blocks of a message without a stream get consecutive indices",
    [
      ["m", thinking("hm")],
      ["m", textBlock("a")],
      ["n", textBlock("b")],
      ["m", textBlock("c")],
    ],
    ['m/0 complete "hm"', 'm/1 complete "a"', 'n/0 complete "b"', 'm/2 complete "c"'],
  ],
  [
    "thinking and text of one message are separate blocks",
    [
      messageStart("m"),
      blockStart(0, { type: "thinking", thinking: "" }),
      blockDelta(0, { type: "thinking_delta", thinking: "h" }),
      ["m", thinking("h")],
      blockStop(0),
      textStart(1),
      textDelta("a", 1),
      ["m", textBlock("a")],
      blockStop(1),
      ...messageEnd,
    ],
    ['m/0 partial "h"', 'm/0 complete "h"', 'm/1 partial "a"', 'm/1 complete "a"', "m end_turn"],
  ],
  [
    "a redacted thought is complete with an empty text",
    [
      messageStart("m"),
      blockStart(0, { type: "redacted_thinking" }),
      ["m", { type: "redacted_thinking" }],
      blockStop(),
    ],
    ['m/0 complete ""'],
  ],
  [
    "a delta without a start opens its block",
    [messageStart("m"), textDelta("a"), ["m", textBlock("a")]],
    ['m/0 partial "a"', 'm/0 complete "a"'],
  ],
  [
    "events before any message are ignored",
    [textStart(), textDelta("a"), blockStop(), ...messageEnd],
    [],
  ],
];

test.each([...ROWS])("%s", (_name, steps, emitted) => {
  expect(blocksIn().run(steps)).toEqual([...emitted]);
});

const piece = "x".repeat(2 ** 20);
const pieces = Array<string>(MAX_KEPT_TEXT / piece.length).fill(piece);
const streamed = [messageStart("m"), textStart(), ...pieces.map((text) => textDelta(text))];
const whole = pieces.join("");
const endOf = (emitted: readonly string[]) => emitted.filter((line) => !line.includes("partial"));

test("a text up to the limit is complete with and without a snapshot", () => {
  const complete = [`m/0 complete ${JSON.stringify(whole)}`];
  expect(endOf(blocksIn().run([...streamed, ["m", textBlock(whole)]]))).toEqual(complete);
  expect(endOf(blocksIn().run([...streamed, blockStop(), ...messageEnd]))).toEqual([
    ...complete,
    "m end_turn",
  ]);
});

test("each piece of a text beyond the limit is emitted, and without a snapshot the block is abandoned", () => {
  const { blocks, run } = blocksIn();
  const emitted = run([...streamed, textDelta("one more"), textDelta("!"), blockStop()]);
  expect(emitted.slice(pieces.length)).toEqual(['m/0 partial "one more"', 'm/0 partial "!"']);
  expect(blocks.openText === whole).toBe(true);
  expect(run(messageEnd)).toEqual(["m/0 abandoned", "m end_turn"]);
});

const LONG = [
  ["confirms", `${whole}\u{1f600}!`, ["m/0 complete"]],
  ["continues", `${whole}\u{1f600}!?`, ['m/0 partial "?"', "m/0 complete"]],
  ["corrects", `${whole}\u{1f601}!`, ["m/0 abandoned", "m/1 complete"]],
  ["shortens", `${whole}\u{1f600}`, ["m/0 abandoned", "m/1 complete"]],
] as const;

test.each([...LONG])("a snapshot that %s a text beyond the limit", (_does, text, expected) => {
  const { run } = blocksIn();
  // The pieces divide a character.
  run([...streamed, textDelta("\ud83d"), textDelta("\ude00!")]);
  const emitted = run([["m", textBlock(text)]]);
  expect(emitted.map((line) => line.replace(` ${JSON.stringify(text)}`, ""))).toEqual([
    ...expected,
  ]);
});

test("the oldest block is abandoned when 257 blocks of a message are open", () => {
  const open = Array.from({ length: 257 }, (_, index) => textStart(index));
  const { run } = blocksIn();
  expect(run([messageStart("m"), ...open])).toEqual(["m/0 abandoned"]);
  expect(run(["abandon"])).toHaveLength(256);
});

const TOOL_ROWS: readonly Row[] = [
  [
    "a streamed tool call is emitted with its name, then complete with the input of the snapshot",
    [
      ...CALLING,
      toolDelta(0, '{"a"'),
      toolDelta(0, ":1}"),
      ["m", toolBlock("t", "Read", { a: 1 })],
      blockStop(0),
      ...messageEnd,
    ],
    ["m/0 streaming Read", 'delta {"a"', "delta :1}", "m/0 complete Read", "m end_turn"],
  ],
  [
    "a tool call that stopped without a snapshot is abandoned, because its input is not known",
    [...CALLING, blockStop(0), ...messageEnd, "abandon"],
    ["m/0 streaming Read", "m end_turn", "m/0 abandoned Read"],
  ],
  [
    "a snapshot of a tool call completes the call with its id, in any order",
    [
      ...CALLING,
      blockStop(0),
      blockStart(1, toolBlock("u", "Bash")),
      ["m", toolBlock("u", "Bash")],
      ["m", toolBlock("t", "Read")],
    ],
    ["m/0 streaming Read", "m/1 streaming Bash", "m/1 complete Bash", "m/0 complete Read"],
  ],
  [
    "a tool call that was not streamed is complete with its snapshot",
    [...STREAMED, ["m", textBlock("a")], ["m", toolBlock("t", "Read")]],
    ['m/0 partial "a"', 'm/0 complete "a"', "m/1 complete Read"],
  ],
];

test.each([...TOOL_ROWS])("%s", (_name, steps, emitted) => {
  expect(blocksIn().run(steps)).toEqual([...emitted]);
});

test("a tool call keeps the input of its snapshot, with keys that no delta had", () => {
  const { blocks } = blocksIn();
  const line = assistantLine("m", toolBlock("t", "Edit", { replace_all: false }));
  const [snapshot] = routeTopLevelEvent(parsedAs("assistant", line));
  expect(blocks.confirm(snapshot as BlockMessage)).toEqual([snapshot as BlockMessage]);
});
