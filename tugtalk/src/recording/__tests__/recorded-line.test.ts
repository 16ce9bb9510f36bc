/** Lines that are masked for a recording and read back from it. The secrets are made up. */
import { describe, expect, test } from "bun:test";
import { headFields } from "../../base/json-head.ts";
import { isOverlong, type Line } from "../../base/lines.ts";
import { TextMask } from "../masking/mask-text.ts";
import { LineMask, type Pipe, toLine } from "../recorded-line.ts";
import { RecordedLine } from "../recording.ts";
import { StreamedTexts } from "../streamed-texts.ts";

const SECRET = "sk-ant-abcdefgh12345678";
const MASKED = "█".repeat(SECRET.length);

function newLines() {
  const texts = new StreamedTexts();
  const mask = new LineMask(new TextMask({ env: {}, home: "/root" }), texts);
  return {
    mask: (line: Line | string, pipe: Pipe) => mask.mask(line, pipe),
    endTexts: (prefix = "") => texts.end(prefix),
    takeEnded: () => texts.takeEnded(),
  };
}

const CLAUDE: Pipe = { name: "claude: " };

const HOST: Pipe = { name: "host: ", isStrict: true };

const delta = (index: number, fields: object, parent: string | null = null) => ({
  type: "stream_event",
  parent_tool_use_id: parent,
  event: { type: "content_block_delta", index, delta: fields },
});

/** A line with a delta, by its name. */
type Delta = readonly [name: string, line: (text: string) => object];

const DELTAS: readonly Delta[] = [
  ["text of Claude", (text) => delta(0, { type: "text_delta", text })],
  ["thinking of Claude", (thinking) => delta(0, { type: "thinking_delta", thinking })],
  ["a tool input", (text) => delta(1, { type: "input_json_delta", partial_json: text })],
  ["text of a subagent", (text) => delta(0, { type: "text_delta", text }, "tool1")],
  [
    "text for the host",
    (text) => ({ type: "assistant_text", msg_id: "m", block_index: 0, status: "partial", text }),
  ],
  [
    "thinking for the host",
    (text) => ({ type: "thinking_text", msg_id: "m", block_index: 0, status: "partial", text }),
  ],
  [
    "a tool input for the host",
    (partial_json) => ({ type: "tool_input_delta", tool_use_id: "t", partial_json }),
  ],
];

test.each([...DELTAS])("%s is masked in its deltas and collected until it ends", (_, of) => {
  const lines = newLines();
  const texts = ["use sk-a", "nt-abcdefgh", "12345678", " now"];
  expect(texts.map((text) => lines.mask(JSON.stringify(of(text)), CLAUDE))).toEqual(
    texts.map((text) => ({ $text: 1, ...of("█".repeat(text.length)) })),
  );
  lines.endTexts(HOST.name);
  expect(lines.takeEnded()).toEqual([]);
  lines.endTexts(CLAUDE.name);
  expect(lines.takeEnded()).toEqual([{ $text: 1, text: texts.join("") }]);
  expect(lines.takeEnded()).toEqual([]);
});

describe("streamed text", () => {
  const text = (content: string, parent: string | null = null) =>
    JSON.stringify(delta(0, { type: "text_delta", text: content }, parent));

  test.each([
    { type: "stream_event", event: { type: "content_block_stop", index: 0 } },
    { type: "stream_event", event: { type: "message_start" } },
    { type: "result" },
  ])("a streamed text ends with %j, and the text of a subagent stays open", (end) => {
    const lines = newLines();
    lines.mask(text("a"), CLAUDE);
    lines.mask(text("b", "tool1"), CLAUDE);
    lines.mask(JSON.stringify(end), CLAUDE);
    expect(lines.takeEnded()).toEqual([{ $text: 1, text: "a" }]);
  });

  test.each([
    { type: "stream_event", event: { type: "ping" } },
    delta(0, { type: "signature_delta", signature: "abc" }),
    { type: "system", subtype: "status" },
    { type: "assistant", message: { content: [] } },
  ])("a streamed text stays open after %j", (other) => {
    const lines = newLines();
    lines.mask(text("a"), CLAUDE);
    lines.mask(JSON.stringify(other), CLAUDE);
    expect(lines.takeEnded()).toEqual([]);
    lines.mask(text("b"), CLAUDE);
    lines.endTexts();
    expect(lines.takeEnded()).toEqual([{ $text: 1, text: "ab" }]);
  });

  test.each([{ status: "complete" }, { status: "abandoned" }, { type: "turn_cancelled" }])(
    "a streamed text for the host ends with %j",
    (fields) => {
      const lines = newLines();
      const partial = { type: "assistant_text", block_index: 0, status: "partial", text: "a" };
      lines.mask(JSON.stringify(partial), HOST);
      lines.mask(JSON.stringify({ ...partial, ...fields }), HOST);
      expect(lines.takeEnded()).toEqual([{ $text: 1, text: "a" }]);
    },
  );

  test("a streamed text is collected up to 1 MiB", () => {
    const lines = newLines();
    for (let count = 0; count < 300; count += 1) lines.mask(text("x".repeat(9999)), CLAUDE);
    lines.endTexts();
    const [long] = lines.takeEnded();
    expect(long?.text.length).toBeGreaterThan(1024 * 1024);
    expect(long?.text.length).toBeLessThan(1.1 * 1024 * 1024);
  });

  test("a streamed text is dropped when 256 newer texts have started", () => {
    const lines = newLines();
    for (let block = 1; block <= 257; block += 1) lines.mask(text("a", `tool${block}`), CLAUDE);
    lines.endTexts();
    expect(lines.takeEnded().map(({ $text }) => $text)).toEqual(
      Array.from({ length: 256 }, (_, index) => index + 2),
    );
  });
});

const LINES: readonly (readonly [line: string, recorded: unknown])[] = [
  ['{"a":1.0}', { a: 1 }],
  ['{"$a":1}', '{"$a":1}'],
  ['{"__proto__":{"a":1},"b":2}', JSON.parse('{"__proto__":{"a":1},"b":2}')],
  ["[1, 2]", "[1,2]"],
  ['"text"', '"text"'],
  ["\ufeff{}", {}],
  ["{no JSON", "████████"],
  [`["${SECRET}"]`, `["${MASKED}"]`],
  [`{"$a":{"env":{"A":"b"}}}`, '{"$a":{"env":{"A":"█"}}}'],
];

test.each([...LINES])(
  "the line %p is recorded and read back as the same line",
  (line, recorded) => {
    const parsed = RecordedLine.parse(newLines().mask(Buffer.from(line), HOST));
    expect(parsed).toEqual(recorded as typeof parsed);
    const again = Buffer.from(toLine(parsed) as Uint8Array).toString();
    if (typeof recorded === "string") expect(again).toBe(recorded);
    else expect(JSON.parse(again)).toEqual(recorded);
  },
);

const nested = (depth: number) => `${'{"a":'.repeat(depth)}"${SECRET}"${"}".repeat(depth)}`;

test("a line with the largest accepted nesting is recorded as JSON", () => {
  const recorded = newLines().mask(nested(1000), HOST);
  expect(JSON.stringify(recorded)).toBe(nested(1000).replace(SECRET, MASKED));
});

test.each([1100, 50_000])(
  "a line of %d levels is recorded at its length and still nested too deep",
  (depth) => {
    const text = nested(depth);
    const recorded = String(newLines().mask(text, HOST));
    expect(recorded).toHaveLength(text.length);
    expect(recorded.match(/\{/g)?.length).toBeGreaterThan(1001);
    expect(recorded).not.toContain(SECRET);
    expect(() => JSON.parse(recorded)).not.toThrow();
  },
);

test("a line of the host that is not UTF-8 is recorded by its length only", () => {
  const bytes = Buffer.from([0xff, 0x00, 0x41]);
  const recorded = RecordedLine.parse(newLines().mask(bytes, HOST));
  expect(toLine(recorded)).toEqual(Buffer.from([0xff, 0xff, 0xff]));
});

test("a line of Claude that is not UTF-8 is recorded as the bridge decodes it", () => {
  const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
  expect(newLines().mask(bytes, CLAUDE)).toEqual({ a: "\ufffd" });
});

test.each([
  [`{"type":"result" ${SECRET}`, '"type":"result"'],
  [SECRET, ""],
])("an overlong line with the edges %j is recorded by its length and %j", (edges, kept) => {
  const overlong = { overlongBytes: 9_000_000, head: "", edges };
  const recorded = RecordedLine.parse(newLines().mask(overlong, CLAUDE));
  expect(toLine(recorded)).toEqual({ ...overlong, head: "{}", edges: kept });
});

test("an overlong line of the host is recorded with its ids, and nothing else of its beginning", () => {
  const head = `{"id":"i","text":"${SECRET}","message_id":"m","request_id":"r","rest":"${SECRET}`;
  const recorded = newLines().mask({ overlongBytes: 9_000_000, head, edges: head }, HOST);
  expect(JSON.stringify(recorded)).not.toContain(SECRET);
  const line = toLine(RecordedLine.parse(recorded));
  if (!isOverlong(line)) throw new Error("it is whole");
  expect(headFields(line.head)).toEqual({ id: "i", message_id: "m", request_id: "r" });
});

test("the raw text of an invalid line in unknown_event is masked in full", () => {
  const message = { type: "unknown_event", original_type: "invalid_line", raw: "debug: 1" };
  expect(newLines().mask(JSON.stringify(message), HOST)).toEqual({ ...message, raw: "████████" });
});
