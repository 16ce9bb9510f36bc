/** Lines that repeat are written for the host exactly as if each were handled by itself. */

import { expect, test } from "bun:test";
import * as fc from "fast-check";
import {
  blockDelta,
  blockStart,
  blockStop,
  messageEnd,
  messageStart,
  textBlock,
  textDelta,
  textStart,
} from "../../../simulator/stream-events.ts";
import {
  assistantLine,
  eventLine,
  initLine,
  promptLine,
  resultLine,
} from "../../../testing/drivers/test-lines.ts";
import { BridgeHarness } from "../../../testing/random/bridge-harness.ts";
import { checkProperty } from "../../../testing/random/property-check.ts";
import type { Fields } from "../../base/json.ts";

/** The events in order: Claude prints bytes, or the host sends a message. */
type Step = Uint8Array | Fields;

const TURN = [initLine(), eventLine(messageStart("m1")), eventLine(textStart())];
const UUID = "5f0c3a52-8f5f-4f6e-9a51-0123456789ab";
const MAX_LINE_BYTES = 4096;

const bytesOf = (line: Fields | string | Uint8Array): Uint8Array =>
  Buffer.isBuffer(line)
    ? line
    : Buffer.from(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);

/** The bytes that the host gets. `isNoted`: no line is written as a repeated one. */
async function received(steps: readonly Step[], isNoted: boolean): Promise<string> {
  const options = { version: "2.1.197", exitsOn: "eof", maxLineBytes: MAX_LINE_BYTES } as const;
  const harness = new BridgeHarness({ ...options, isNoted });
  const { host } = harness;
  host.send({ type: "protocol_init", version: 2, options: { tool_input_deltas: true } });
  await harness.settle();
  const claude = harness.process?.claude;
  const request_id = claude?.writes[0]?.["request_id"];
  const response = { subtype: "success", request_id, response: {} };
  void claude?.say({ type: "control_response", response });
  host.send({ type: "user_message", text: "Go on.", message_id: UUID });
  await harness.settle();
  for (const line of TURN) void claude?.say(line);
  for (const step of steps) {
    await harness.settle();
    if (step instanceof Uint8Array) void claude?.print(step);
    else host.send(step);
  }
  await harness.settle();
  host.closeInput();
  await harness.settle();
  return host.text;
}

async function expectSame(steps: readonly Step[]): Promise<void> {
  expect(await received(steps, false)).toBe(await received(steps, true));
}

const withUuid = (line: Fields) => ({ ...line, uuid: crypto.randomUUID() });
const delta = (text: string) => eventLine(textDelta(text));
const jsonOf = (text: string) => JSON.stringify(delta(text));
const raw = (literal: string) => jsonOf("@").replace("@", () => literal);
const binary = (literal: string) => Buffer.from(`${raw(literal)}\n`, "latin1");

/** Lines that may not be taken for a repeat of the line before them, or for one with a certain text. */
const OTHERS: Readonly<Record<string, Fields | string | Uint8Array>> = {
  "an empty text": delta(""),
  "a quote at the end": delta('a"'),
  "a quote and a comma at both ends": delta('",a",'),
  "a backslash at the end": delta("a\\"),
  "escapes that a writer makes": delta('\b\f\n\r\t"\\'),
  "an escaped letter": raw("\\u0041"),
  "an escaped slash": raw("\\/"),
  "an escaped control character": delta("\u0001\u001b"),
  "an escape that does not exist": raw("\\x"),
  "an escape without digits": raw("\\u12"),
  "half a pair, escaped": raw("\\ud83d"),
  "the other half, escaped": raw("\\ude00"),
  "characters of several bytes": delta("äöü € \u{1f600} 日本語"),
  "a byte order mark": delta("\ufeff"),
  "U+2028 and U+2029": delta("a\u2028b\u2029c"),
  "U+2028, escaped": raw("\\u2028"),
  "a byte that is no UTF-8": binary("a\xff"),
  "half a character": binary("a\xc3"),
  "the other half of a character": binary("\xa9a"),
  "a surrogate in UTF-8": binary("\xed\xa0\x80"),
  DEL: binary("\x7f"),
  "a NUL": binary("\0"),
  "a tab": raw("\t"),
  "a CR in the text": raw("a\rb"),
  "a CR before the LF": `${jsonOf("a")}\r`,
  "a text that is not closed": jsonOf("abc").slice(0, -70),
  "a line feed in the text": raw("a\nb"),
  "half a line": jsonOf("abc").slice(0, 40),
  "a blank line": "",
  "a line over the limit": delta("x".repeat(MAX_LINE_BYTES)),
  "a line at the limit": delta("x".repeat(MAX_LINE_BYTES - jsonOf("").length)),
  "another index": eventLine(textDelta("b", 1)),
  "another parent": { ...delta("b"), parent_tool_use_id: "toolu_1" },
  "another session": { ...delta("b"), session_id: UUID },
  "a uuid": withUuid(delta("b")),
  "a uuid of another form": { ...delta("b"), uuid: "not-a-uuid" },
  "a uuid that is no text": { ...delta("b"), uuid: 1 },
  "a uuid before the text": { uuid: crypto.randomUUID(), ...delta("b") },
  "a further field": { ...delta("b"), api_message_id: "m1" },
  "another order of keys": Object.fromEntries(Object.entries(delta("b")).reverse()),
  "spaces between keys": JSON.stringify(delta("b"), null, " ").replaceAll("\n", ""),
  "two texts": jsonOf("a").replace('"text":"a"', '"text":"a","text":"b"'),
  "two texts that are the same": jsonOf("a").replace('"text":"a"', '"text":"a","te\\u0078t":"a"'),
  "a thinking delta": eventLine(blockDelta(1, { type: "thinking_delta", thinking: "hm" })),
  "a text and a thinking": eventLine(
    blockDelta(0, { type: "text_delta", text: "a", thinking: "b" }),
  ),
  "a tool's input": eventLine(blockDelta(2, { type: "input_json_delta", partial_json: '{"a":' })),
  "a tool's input with a text": eventLine(
    blockDelta(0, { type: "input_json_delta", partial_json: "{", text: "a" }),
  ),
  "an unknown delta": eventLine(blockDelta(0, { type: "other_delta", text: "a" })),
  "the start of a tool call": eventLine(
    blockStart(2, { type: "tool_use", id: "toolu_2", name: "Bash", input: {} }),
  ),
  "the start of a second text": eventLine(textStart(1)),
  "the end of a block": eventLine(blockStop()),
  "a snapshot": assistantLine("m1", textBlock("a whole text")),
  "the end of a message": eventLine(messageEnd[1] ?? {}),
  "another message": eventLine(messageStart("m2")),
  "a prompt": promptLine("p1"),
  "the end of the turn": resultLine(),
  "another turn": initLine(),
  "a kept-alive line": { type: "keep_alive" },
};

const HOST: Readonly<Record<string, Fields>> = {
  "an interrupt": { type: "interrupt" },
  "another mode": { type: "permission_mode", mode: "plan" },
  "a message": { type: "user_message", text: "And then?" },
  "an unknown message": { type: "unknown" },
};

const REPEATS = ["a", "b c", 'd "e"', "f\n"].map(delta);

test.each(Object.entries(OTHERS))(
  "repeats around %s are written the same",
  async (_name, other) => {
    const around = [...REPEATS, other, ...REPEATS, other, other, other, ...REPEATS].map(bytesOf);
    await expectSame([Buffer.concat(around)]);
    await expectSame(around);
    const [first = delta(""), ...others] = [other, ...REPEATS];
    await expectSame([Buffer.concat([first, ...others, withUuid(delta("g"))].map(bytesOf))]);
  },
);

test.each(Object.entries(HOST))(
  "repeats around %s of the host are written the same",
  async (_name, message) => {
    const repeats = Buffer.concat(REPEATS.map(bytesOf));
    await expectSame([repeats, message, repeats, message, repeats]);
  },
);

test("repeats are written the same for a chunk that ends at any byte", async () => {
  const bytes = Buffer.concat(
    [delta("ä"), withUuid(delta("€")), withUuid(delta("b"))].map(bytesOf),
  );
  for (let at = 1; at < bytes.length; at += 3)
    await expectSame([bytes.subarray(0, at), bytes.subarray(at)]);
});

test("a chunk of repeats that ends a line of an earlier chunk is written the same", async () => {
  const repeats = Buffer.concat(REPEATS.map(bytesOf));
  await expectSame([repeats, Buffer.from("x"), repeats, repeats]);
});

const KINDS: readonly ((text: string) => Fields)[] = [
  delta,
  (text) => withUuid(delta(text)),
  (text) => ({ uuid: UUID, ...delta(text) }),
  (text) => ({ ...delta(text), parent_tool_use_id: "toolu_1" }),
  (text) => eventLine(blockDelta(1, { type: "thinking_delta", thinking: text })),
  (text) => eventLine(blockDelta(2, { type: "input_json_delta", partial_json: text })),
  (text) => Object.fromEntries(Object.entries(withUuid(delta(text))).reverse()),
];

const run = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    texts: fc.array(fc.string({ unit: "binary", maxLength: 12 }), { maxLength: 8 }),
  })
  .map(({ kind, texts }) => Buffer.concat(texts.map(kind).map(bytesOf)));

const block = fc.oneof(
  { weight: 4, arbitrary: run },
  { weight: 3, arbitrary: fc.constantFrom(...Object.values(OTHERS)).map(bytesOf) },
);

/** Some lines in chunks of one size, then perhaps a message of the host. */
const steps = fc
  .array(
    fc.record({
      blocks: fc.array(block, { maxLength: 10 }),
      size: fc.oneof(fc.integer({ min: 1, max: 600 }), fc.constant(100_000)),
      message: fc.option(fc.constantFrom(...Object.values(HOST))),
    }),
    { maxLength: 4 },
  )
  .map((parts) =>
    parts.flatMap(({ blocks, size, message }): Step[] => {
      const bytes = Buffer.concat(blocks);
      const count = Math.ceil(bytes.length / size);
      const chunks = Array.from({ length: count }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      return message === null ? chunks : [...chunks, message];
    }),
  );

test("random streams are written the same, whatever repeats in them", async () => {
  await checkProperty({
    name: "streams with repeats",
    values: steps,
    runs: 120,
    limitMs: 60_000,
    faultsOf: async (value) => {
      const [repeated, single] = [await received(value, false), await received(value, true)];
      return repeated === single ? [] : [`written: ${repeated}`, `expected: ${single}`];
    },
  });
}, 90_000);
