/** Which lines are taken for repeats of the line before them. */
import { expect, test } from "bun:test";
import { messageStart, textDelta, textStart } from "../../../simulator/stream-events.ts";
import { eventLine, initLine, SESSION_ID } from "../../../testing/drivers/test-lines.ts";
import { startSession } from "../../../testing/drivers/test-session.ts";
import { LineSplitter } from "../../base/lines.ts";
import type { StreamEventMessage } from "../../messages/conversation-lines.ts";
import type { SessionOptions } from "../../messages/options.ts";
import type { OutboundDraft } from "../../types.ts";
import { Repeats } from "../repeats.ts";

const UUIDS = ["5f0c3a52-8f5f-4f6e-9a51-000000000001", "5f0c3a52-8f5f-4f6e-9a51-000000000002"];
const EVENT =
  '"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":DELTA}';
const TEXT = '{"type":"text_delta","text":TEXT}';
const THINKING = '{"type":"thinking_delta","thinking":TEXT}';
const INPUT = '{"type":"input_json_delta","partial_json":TEXT}';
const SESSION = `"session_id":"${SESSION_ID}"`;

/** The forms of a line, by the CLI that prints it. */
const FORMS: readonly (readonly [cli: string, form: string])[] = [
  ["2.1.38", `{${EVENT},${SESSION},"parent_tool_use_id":null,"uuid":UUID}`],
  ["2.1.197", `{${EVENT},${SESSION},"parent_tool_use_id":null,"uuid":UUID}`],
  ["2.1.330", `{${EVENT},${SESSION},"parent_tool_use_id":null,"uuid":UUID,"api_message_id":"m"}`],
  ["any CLI for a subagent", `{${EVENT},${SESSION},"parent_tool_use_id":"toolu_1","uuid":UUID}`],
  ["a CLI that puts the uuid first", `{"uuid":UUID,${EVENT},${SESSION}}`],
  ["a CLI without a uuid", `{${EVENT},${SESSION}}`],
];

const DELTAS = [TEXT, THINKING, INPUT];

function written(form: string, delta: string, text: string, uuid = UUIDS[0]): string {
  return form
    .replace("DELTA", delta)
    .replace("UUID", JSON.stringify(uuid))
    .replace("TEXT", () => JSON.stringify(text));
}

/** The lines among these that are taken after one with the text "first". */
function taken(first: string, lines: readonly string[]) {
  const repeats = new Repeats();
  const event: StreamEventMessage = JSON.parse(first);
  const message = { type: "tool_input_delta", text: "first", partial_json: "first" };
  repeats.learn(first, event, [message as unknown as OutboundDraft]);
  const cursor = new LineSplitter().open(Buffer.from(lines.map((line) => `${line}\n`).join("")));
  const { answer, event: whole } = repeats.take(cursor) ?? {};
  return { literals: answer?.literals ?? [], whole, left: [...cursor].length };
}

test.each(FORMS)("the deltas of %s are taken as one event", (_cli, form) => {
  for (const delta of DELTAS) {
    const lines = ['a "b"', "ä€\n"].map((text) => written(form, delta, text, UUIDS[1]));
    expect(taken(written(form, delta, "first"), lines)).toEqual({
      literals: ['a \\"b\\"', "ä€\\n"],
      whole: JSON.parse(written(form, delta, 'a "b"ä€\n')),
      left: 0,
    });
  }
});

test("lines are taken up to the first one that differs in more than text and uuid", () => {
  const [, [, form]] = FORMS as [unknown, readonly [string, string]];
  const repeat = written(form, TEXT, "a", UUIDS[1]);
  const other = repeat.replace('"index":0', '"index":1');
  const { literals, left } = taken(written(form, TEXT, "first"), [repeat, repeat, other, repeat]);
  expect({ literals, left }).toEqual({ literals: ["a", "a"], left: 2 });
});

test("a text with an escape that no writer of JSON makes is not taken", () => {
  const [, [, form]] = FORMS as [unknown, readonly [string, string]];
  const lines = ["\\/", "\\u0041", "\\ud83d", "\\x"].map((escaped) =>
    written(form, TEXT, "@").replace("@", () => escaped),
  );
  for (const line of lines)
    expect(taken(written(form, TEXT, "first"), [line]).literals).toEqual([]);
});

/** A session in a turn, after the first delta of a text. */
async function streaming(options: SessionOptions = {}) {
  const session = await startSession({ init: { options } });
  await session.say(
    initLine(),
    eventLine(messageStart("m1")),
    eventLine(textStart()),
    eventLine(textDelta("one, ")),
  );
  return session;
}

test("the deltas after the first one are emitted as its repeats", async () => {
  const session = await streaming();
  await session.say(eventLine(textDelta("two, ")), eventLine(textDelta("three")));
  expect(session.repeatedCount).toBe(2);
});

test("a delta after a change of another kind is no repeat", async () => {
  const session = await streaming();
  session.interrupt();
  await session.say(eventLine(textDelta("two")));
  expect(session.repeatedCount).toBe(0);
});

test("the text of repeats is part of the result of a turn that is cut off", async () => {
  const session = await streaming();
  await session.say(eventLine(textDelta("two")));
  await session.exit();
  const cancelled = session.emitted.find(({ type }) => type === "turn_cancelled");
  expect(cancelled).toMatchObject({ partial_result: "one, two" });
});

test("a repeat counts as a sign of life of the model", async () => {
  const session = await streaming({ stream_timeout_ms: 100, first_token_timeout_ms: 100 });
  session.clock.advance(60);
  await session.say(eventLine(textDelta("two")));
  session.clock.advance(60);
  expect(session.repeatedCount).toBe(1);
  expect(session.emitted.filter(({ type }) => type === "error")).toEqual([]);
  session.clock.advance(60);
  expect(session.emitted.filter(({ type }) => type === "error")).toHaveLength(1);
});

test("a repeat of a subagent is no sign of life of the main conversation", async () => {
  const session = await streaming({ stream_timeout_ms: 100, first_token_timeout_ms: 100 });
  const ofSubagent = (event: Record<string, unknown>) => ({
    ...eventLine(event),
    parent_tool_use_id: "toolu_1",
  });
  await session.say(
    ofSubagent(messageStart("m2")),
    ofSubagent(textStart()),
    ofSubagent(textDelta("one")),
  );
  session.clock.advance(60);
  await session.say(ofSubagent(textDelta("two")));
  session.clock.advance(60);
  expect(session.repeatedCount).toBe(1);
  expect(session.emitted.filter(({ type }) => type === "error")).toHaveLength(1);
});
