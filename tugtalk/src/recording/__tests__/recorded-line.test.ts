/** Lines on their way into a recording and out of it again. The secrets are made up. */
import { describe, expect, test } from "bun:test";
import type { Side } from "../delta-text.ts";
import { TextMask } from "../masking/mask-text.ts";
import { LineMask, type Pipe, toLine } from "../recorded-line.ts";
import { RecordedLine } from "../recording.ts";

const SECRET = "sk-ant-abcdefgh12345678";
const STARS = "*".repeat(SECRET.length);

const newLines = () => new LineMask(new TextMask({ env: {}, home: "/root" }));

const pipe = (side: Side): Pipe => ({ name: side, side });

const HOST: Pipe = { name: "host" };

const piece = (index: number, delta: object, parent: string | null = null) => ({
  type: "stream_event",
  parent_tool_use_id: parent,
  event: { type: "content_block_delta", index, delta },
});

/** A line with a piece of a text, by what is said of it. */
type Piece = readonly [name: string, side: Side, line: (text: string) => object];

const PIECES: readonly Piece[] = [
  ["text", "claude", (text) => piece(0, { type: "text_delta", text })],
  ["thinking", "claude", (thinking) => piece(0, { type: "thinking_delta", thinking })],
  [
    "a tool's input",
    "claude",
    (text) => piece(1, { type: "input_json_delta", partial_json: text }),
  ],
  ["a subagent's text", "claude", (text) => piece(0, { type: "text_delta", text }, "tool1")],
  [
    "text for the host",
    "bridge",
    (text) => ({ type: "assistant_text", msg_id: "m", block_index: 0, status: "partial", text }),
  ],
  [
    "thinking for the host",
    "bridge",
    (text) => ({ type: "thinking_text", msg_id: "m", block_index: 0, status: "partial", text }),
  ],
  [
    "a tool's input for the host",
    "bridge",
    (partial_json) => ({ type: "tool_input_delta", tool_use_id: "t", partial_json }),
  ],
];

test.each([...PIECES])(
  "%s has stars in its lines, and is masked once it ends",
  (_name, side, lineOf) => {
    const lines = newLines();
    const texts = ["use sk-a", "nt-abcdefgh", "12345678", " now"];
    const records = texts.map((text) => lines.take(JSON.stringify(lineOf(text)), pipe(side)));
    const stars = texts.map((text) => lineOf("*".repeat(text.length)));
    expect(records.map(({ json }) => JSON.parse(json))).toEqual(
      stars.map((line) => ({ $text: 1, ...line })),
    );
    expect(lines.end(pipe(side))).toEqual([
      { number: 1, text: `use ${STARS} now`, isMasked: true },
    ]);
  },
);

describe("a text that streams", () => {
  const text = (words: string, parent: string | null = null) =>
    JSON.stringify(piece(0, { type: "text_delta", text: words }, parent));

  test.each([
    { type: "stream_event", event: { type: "content_block_stop", index: 0 } },
    { type: "stream_event", event: { type: "message_start" } },
    { type: "result" },
  ])("ends with %j, and the text of a subagent goes on", (end) => {
    const lines = newLines();
    lines.take(text("a"), pipe("claude"));
    lines.take(text("b", "tool1"), pipe("claude"));
    const { ended } = lines.take(JSON.stringify(end), pipe("claude"));
    expect(ended).toEqual([{ number: 1, text: "a", isMasked: false }]);
  });

  test.each([
    { type: "stream_event", event: { type: "ping" } },
    piece(0, { type: "signature_delta", signature: "abc" }),
    { type: "system", subtype: "status" },
    { type: "assistant", message: { content: [] } },
  ])("goes on after %j", (other) => {
    const lines = newLines();
    lines.take(text("a"), pipe("claude"));
    expect(lines.take(JSON.stringify(other), pipe("claude")).ended).toEqual([]);
    lines.take(text("b"), pipe("claude"));
    expect(lines.end()).toEqual([{ number: 1, text: "ab", isMasked: false }]);
  });

  test.each([{ status: "complete" }, { status: "abandoned" }, { type: "turn_cancelled" }])(
    "for the host ends with %j",
    (fields) => {
      const lines = newLines();
      const partial = { type: "assistant_text", block_index: 0, status: "partial", text: "a" };
      lines.take(JSON.stringify(partial), pipe("bridge"));
      const { ended } = lines.take(JSON.stringify({ ...partial, ...fields }), pipe("bridge"));
      expect(ended).toEqual([{ number: 1, text: "a", isMasked: false }]);
    },
  );

  test("is kept up to a mebibyte, and the texts of at most 256 blocks at once", () => {
    const lines = newLines();
    for (let count = 0; count < 300; count += 1) lines.take(text("x".repeat(9999)), pipe("claude"));
    const [long] = lines.end();
    expect(long?.text.length).toBeLessThan(1.1 * 1024 * 1024);
    const records = Array.from({ length: 257 }, (_, index) =>
      lines.take(text("a", `tool${index}`), pipe("claude")),
    );
    expect(records.flatMap(({ ended }) => ended)).toHaveLength(1);
  });
});

const LINES: readonly (readonly [line: string, recorded: unknown])[] = [
  ['{"a":1.0}', { a: 1 }],
  ['{"$a":1}', '{"$a":1}'],
  ['{"__proto__":{"a":1},"b":2}', JSON.parse('{"__proto__":{"a":1},"b":2}')],
  ["[1, 2]", "[1,2]"],
  ['"text"', '"text"'],
  ["\ufeff{}", {}],
  ["{no JSON", "********"],
  [`["${SECRET}"]`, `["${STARS}"]`],
  [`{"$a":{"env":{"A":"b"}}}`, '{"$a":{"env":{"A":"*"}}}'],
];

test.each([...LINES])("%p is recorded, and is that line again", (line, recorded) => {
  const parsed = RecordedLine.parse(JSON.parse(newLines().take(Buffer.from(line), HOST).json));
  expect(parsed).toEqual(recorded as typeof parsed);
  const again = Buffer.from(toLine(parsed) as Uint8Array).toString();
  if (typeof recorded === "string") expect(again).toBe(recorded);
  else expect(JSON.parse(again)).toEqual(recorded);
});

const nested = (depth: number) => `${'{"a":'.repeat(depth)}"${SECRET}"${"}".repeat(depth)}`;

test("a line that is nested as deep as the bridge takes it is recorded as what it is", () => {
  const { json } = newLines().take(nested(1000), HOST);
  expect(json).toBe(nested(1000).replace(SECRET, STARS));
});

test.each([1100, 50_000])("a line that is nested %d deep stays too deep, and as long", (depth) => {
  const text = nested(depth);
  const recorded = JSON.parse(newLines().take(text, HOST).json);
  expect(recorded).toHaveLength(text.length);
  expect(recorded.match(/\{/g)?.length).toBeGreaterThan(1001);
  expect(recorded).not.toContain(SECRET);
  expect(() => JSON.parse(recorded)).not.toThrow();
});

test("of bytes of the host's that are not UTF-8 only their number is recorded", () => {
  const bytes = Buffer.from([0xff, 0x00, 0x41]);
  const kept = RecordedLine.parse(JSON.parse(newLines().take(bytes, HOST).json));
  expect(toLine(kept)).toEqual(Buffer.from([0xff, 0xff, 0xff]));
});

test("a line of Claude's whose bytes are not UTF-8 is recorded as the bridge reads it", () => {
  const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
  expect(newLines().take(bytes, pipe("claude")).json).toBe('{"a":"\ufffd"}');
});

test("of a line that was too long its length is recorded, and whether it ended a turn", () => {
  for (const [edges, kept] of [
    [`{"type":"result" ${SECRET}`, '"type":"result"'],
    [SECRET, ""],
  ] as const) {
    const { json } = newLines().take({ overlongBytes: 9_000_000, edges }, pipe("claude"));
    expect(toLine(RecordedLine.parse(JSON.parse(json)))).toEqual({
      overlongBytes: 9_000_000,
      edges: kept,
    });
  }
});

test("what the bridge passes on of a line that it could not read is masked whole", () => {
  const message = { type: "unknown_event", original_type: "invalid_line", raw: "debug: 1" };
  expect(JSON.parse(newLines().take(JSON.stringify(message), pipe("bridge")).json)).toEqual({
    ...message,
    raw: "********",
  });
});

test.each([
  ['{"a":"** bold ** and *****"}', false],
  [`{"a":"${SECRET}"}`, true],
  ["not JSON: ***", true],
])("of %j it is known whether something is masked in it: %p", (line, isMasked) => {
  expect(newLines().take(Buffer.from(line), HOST).isMasked).toBe(isMasked);
});
