import { expect, test } from "bun:test";
import { EventStream, type StreamEvent } from "../event-stream.ts";

const TEXT = [
  ": ping\n\n",
  'id: 17.4\nevent: user_text\ndata: {"text":"a: b"}\n\n',
  "event: resume\ndata: {}\n\n",
  ": ping\n\n",
  "data:one\ndata: two\ndata\n\n",
  "id: 17.5\r\nevent: x\r\ndata: 1\r\n\r\n",
  "id: 17.6\nevent: without-data\n\n",
  "event: not-ended\ndata: 2\n",
].join("");

const EVENTS: readonly StreamEvent[] = [
  { id: "17.4", event: "user_text", data: '{"text":"a: b"}' },
  { event: "resume", data: "{}" },
  { event: "message", data: "one\ntwo\n" },
  { id: "17.5", event: "x", data: "1" },
];

test("the events are the same wherever the stream is cut", () => {
  for (let cut = 0; cut <= TEXT.length; cut++) {
    const stream = new EventStream();
    const events = [...stream.feed(TEXT.slice(0, cut)), ...stream.feed(TEXT.slice(cut))];
    expect(events).toEqual([...EVENTS]);
  }
});

test("the events are the same where every character comes alone", () => {
  const stream = new EventStream();
  expect([...TEXT].flatMap((character) => stream.feed(character))).toEqual([...EVENTS]);
});

test("a long event costs time in proportion to its length, however many pieces it comes in", () => {
  const piece = "x".repeat(64 * 1024);
  const stream = new EventStream();
  stream.feed("data: ");
  const started = performance.now();
  for (let count = 0; count < 512; count++) stream.feed(piece);
  const [event] = stream.feed("\n\n");
  expect(event?.data).toHaveLength(512 * piece.length);
  expect(performance.now() - started).toBeLessThan(2000);
});
