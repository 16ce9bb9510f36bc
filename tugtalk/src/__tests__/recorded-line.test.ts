/** Lines on their way into a recording and out of it again. The secrets are made up. */
import { expect, test } from "bun:test";
import { Masks } from "../masks.ts";
import { LineMasks, toLine } from "../recorded-line.ts";
import { RecordedLine } from "../recording.ts";
import type { Speaker } from "../text-pieces.ts";

const SECRET = "sk-ant-abcdefgh12345678";

const newMasks = (speaker?: Speaker) => new LineMasks(new Masks({ env: {}, names: [] }), speaker);

const piece = (index: number, delta: object, parent: string | null = null) => ({
  type: "stream_event",
  parent_tool_use_id: parent,
  event: { type: "content_block_delta", index, delta },
});

/** A line with a piece of a text, by what is said of it. */
type Piece = readonly [name: string, speaker: Speaker, line: (text: string) => object];

const PIECES: readonly Piece[] = [
  ["text", "claude", (text) => piece(0, { type: "text_delta", text })],
  ["thinking", "claude", (thinking) => piece(0, { type: "thinking_delta", thinking })],
  [
    "a tool's input",
    "claude",
    (json) => piece(1, { type: "input_json_delta", partial_json: json }),
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

test.each([...PIECES])("%s is masked across its lines", (_name, speaker, lineOf) => {
  const masks = newMasks(speaker);
  const texts = ["use sk-a", "nt-abcdefgh", "12345678", " now"];
  const lines = texts.map((text) => masks.takeText(JSON.stringify(lineOf(text))));
  expect(lines.some((line) => line.isReady())).toBe(false);
  masks.end();
  const masked = ["use [sec", "ret-1******", "*******]", " now"];
  expect(lines.map((line) => JSON.parse(line.text()))).toEqual(masked.map(lineOf));
});

test.each([
  ["claude", { type: "stream_event", event: { type: "content_block_stop", index: 0 } }],
  ["claude", { type: "stream_event", event: { type: "message_start" } }],
  ["claude", { type: "result" }],
] as const)("the text of %s ends with %j", (speaker, end) => {
  const masks = newMasks(speaker);
  const line = masks.takeText(JSON.stringify(piece(0, { type: "text_delta", text: "a" })));
  const other = masks.takeText(JSON.stringify(piece(0, { type: "text_delta", text: "a" }, "t")));
  masks.takeText(JSON.stringify(end));
  expect([line.isReady(), other.isReady()]).toEqual([true, false]);
});

test.each([
  { type: "stream_event", event: { type: "ping" } },
  piece(0, { type: "citations_delta", citation: {} }),
  piece(0, { type: "signature_delta", signature: "abc" }),
  { type: "system", subtype: "status" },
  { type: "assistant", message: { content: [] } },
])("a text goes on after %j", (other) => {
  const masks = newMasks("claude");
  const take = (text: string) =>
    masks.takeText(JSON.stringify(piece(0, { type: "text_delta", text })));
  const before = take("use sk-ant-abcd");
  masks.takeText(JSON.stringify(other));
  const after = take("efgh12345678");
  masks.end();
  expect(JSON.parse(before.text())).toEqual(
    piece(0, { type: "text_delta", text: "use [secret-1**" }),
  );
  expect(JSON.parse(after.text())).toEqual(piece(0, { type: "text_delta", text: "***********]" }));
});

test("an end of a text for the host is its whole, its loss or the end of the turn", () => {
  const partial = {
    type: "assistant_text",
    msg_id: "m",
    block_index: 0,
    status: "partial",
    text: "a",
  };
  for (const end of [
    { ...partial, status: "complete" },
    { ...partial, status: "abandoned" },
    { type: "turn_cancelled" },
  ]) {
    const masks = newMasks("bridge");
    const line = masks.takeText(JSON.stringify(partial));
    masks.takeText(JSON.stringify(end));
    expect(line.isReady()).toBe(true);
  }
});

const LINES: readonly (readonly [line: string, recorded: unknown])[] = [
  ['{"a":1.0}', { a: 1 }],
  ['{"$a":1}', '{"$a":1}'],
  ['{"__proto__":{"a":1},"b":2}', JSON.parse('{"__proto__":{"a":1},"b":2}')],
  ["[1, 2]", "[1, 2]"],
  ['"text"', '"text"'],
  ["{no JSON", "{no JSON"],
  ["\ufeff{}", "\ufeff{}"],
  [`${'{"a":'.repeat(600)}1${"}".repeat(600)}`, `${'{"a":'.repeat(600)}1${"}".repeat(600)}`],
  [`["${SECRET}"]`, '["[secret-1*************]"]'],
  [`{"$a":{"env":{"A":"b"}}}`, '{"$a":{"env":{"A":"*"}}}'],
];

test.each([...LINES])("%p is kept, and is that line again", (line, recorded) => {
  const text = newMasks().take(Buffer.from(line)).text();
  const parsed = RecordedLine.parse(JSON.parse(text));
  expect(parsed).toEqual(recorded as typeof parsed);
  const again = Buffer.from(toLine(parsed) as Uint8Array).toString();
  if (typeof recorded === "string") expect(again).toBe(recorded);
  else expect(JSON.parse(again)).toEqual(recorded);
});

test("bytes that are no text come back as they were, and a line that was too long as its length", () => {
  const bytes = new Uint8Array([0xff, 0x00, 0x41]);
  const kept = RecordedLine.parse(JSON.parse(newMasks().take(bytes).text()));
  expect(new Uint8Array(toLine(kept) as Uint8Array)).toEqual(bytes);
  const overlong = { overlongBytes: 9_000_000, edges: `"type":"result" ${SECRET}` };
  const recorded = RecordedLine.parse(JSON.parse(newMasks().take(overlong).text()));
  expect(toLine(recorded)).toEqual({
    overlongBytes: 9_000_000,
    edges: '"type":"result" [secret-1*************]',
  });
});

test.each([
  ["wrong", '{"type":"protocol_init","options":{"env":{"FOO":"Zq-leaked"}},}'],
  ["too deep", `{"env":{"FOO":"Zq-leaked"},"a":${"[".repeat(600)}${"]".repeat(600)}}`],
  ["cut off", '{"servers":{"a":{"headers":{"X-Own":"Zq-leaked'],
])("of JSON that is %s the environment and headers are masked too", (_name, line) => {
  const masks = newMasks();
  const overlong = { overlongBytes: 9_000_000, edges: line };
  const bytes = Buffer.concat([Buffer.from(line), new Uint8Array([0xff])]);
  const [text, edges, inBytes] = [Buffer.from(line), overlong, bytes].map((said) => {
    const kept = toLine(RecordedLine.parse(JSON.parse(masks.take(said).text())));
    return "edges" in kept ? kept.edges : Buffer.from(kept).toString("latin1");
  });
  expect(text).toBe(line.replace("Zq-leaked", "[1******]"));
  expect(edges).toBe(text);
  expect(inBytes).not.toContain("Zq-leaked");
  // It is known elsewhere too.
  expect(JSON.parse(masks.takeText('{"a":"say Zq-leaked"}').text())).toEqual({
    a: "say [1******]",
  });
});

test.each([
  ['{"a":"** bold ** and *****"}', false],
  [`{"a":"${SECRET}"}`, true],
  [`no JSON: ${SECRET}`, true],
  ["no JSON: ***", false],
])("of %j it is known whether something is masked in it: %p", (line, isMasked) => {
  expect(newMasks().take(Buffer.from(line)).isMasked()).toBe(isMasked);
});
