/** The way out to the host: messages are stamped, batched and buffered, never dropped or reordered. */
import { expect, test } from "bun:test";
import { parseEmittedText } from "../../testing/drivers/emitted-lines.ts";
import { type HostWriter, openHostWriter, openStamp, type Sink } from "../ipc.ts";
import type { OutboundDraft } from "../types.ts";

const message = (text: string): OutboundDraft => ({ type: "user_text", text, kind: "host" });

/** A writer with a stamp of its own. */
function openSender(sink: Sink, onGone: () => void) {
  const writer: HostWriter = openHostWriter(sink, onGone);
  const stamp = openStamp();
  return { ...writer, send: (draft: OutboundDraft) => writer.write(stamp.line(draft)) };
}

/** A sink that keeps the written chunks, and is full until a test calls `makeRoom`. */
function slowSink() {
  const chunks: string[] = [];
  let full = Promise.withResolvers<void>();
  const sink: Sink = { write: (chunk) => void chunks.push(chunk), flush: () => full.promise };
  const makeRoom = async () => {
    full.resolve();
    full = Promise.withResolvers<void>();
    await settle();
  };
  return { sink, chunks, makeRoom };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

/** A writer to a sink that always has room. */
function opened() {
  const chunks: string[] = [];
  const sink = { write: (chunk: string) => void chunks.push(chunk), flush: () => undefined };
  const writer = openSender(sink, () => {
    throw new Error("the host is there");
  });
  const lines = () => parseEmittedText(chunks.join(""));
  return { writer, chunks, lines };
}

test("each message is stamped with the version and the next number", async () => {
  const { writer, lines } = opened();
  for (const text of ["a", "b"]) writer.send(message(text));
  await writer.flush();
  writer.send(message("c"));
  await writer.flush();
  expect(lines()).toEqual(
    ["a", "b", "c"].map((text, at) => ({
      type: "user_text",
      ipc_version: 2,
      seq: at + 1,
      text,
      kind: "host",
    })),
  );
});

test.each([
  [undefined, '{"type":"user_text","ipc_version":2,"seq":1,"text":"a","kind":"host"}\n'],
  ["c", '{"type":"user_text","ipc_version":2,"seq":1,"channel":"c","text":"a","kind":"host"}\n'],
])("the stamp stands after the type (%s)", (channel, line) => {
  expect(openStamp(channel).line(message("a"))).toBe(line);
});

test.each([undefined, "a channel"])(
  "repeated messages are the lines of single ones (%s)",
  (channel) => {
    const [single, repeated] = [openStamp(channel), openStamp(channel)];
    const texts = ["a", 'b "c"\n', "ä€"];
    const literals = texts.map((text) => JSON.stringify(text).slice(1, -1));
    const both = { message: message("first"), field: "text", literals } as const;
    const lines = [...texts, ...texts].map((text) => single.line(message(text)));
    expect(repeated.repeatedLines(both) + repeated.repeatedLines(both)).toBe(lines.join(""));
    expect(repeated.line(message("d"))).toBe(single.line(message("d")));
  },
);

test("the messages of one tick go out in one write, and those of the next tick in another", async () => {
  const { writer, chunks } = opened();
  for (let at = 0; at < 100; at += 1) writer.send(message(String(at)));
  expect(chunks).toEqual([]);
  await writer.flush();
  expect(chunks).toHaveLength(1);
  expect(chunks[0]?.split("\n")).toHaveLength(101);
  writer.send(message("later"));
  await writer.flush();
  expect(chunks).toHaveLength(2);
});

test("a flush writes at once, and there is nothing to wait for while the pipe has room", () => {
  const { writer, chunks } = opened();
  for (const text of ["a", "b"]) writer.send(message(text));
  expect(writer.flush()).toBeUndefined();
  expect(chunks).toHaveLength(1);
  expect(writer.backlog()).toBe(0);
});

test.each([
  ["U+2028", "\u2028", "\\u2028"],
  ["U+2029", "\u2029", "\\u2029"],
])("%s is escaped in the line, and means the same", async (_name, character, escaped) => {
  const { writer, chunks, lines } = opened();
  writer.send(message(`a${character}b${character}`));
  await writer.flush();
  expect(chunks.join("")).toContain(`a${escaped}b${escaped}`);
  expect(chunks.join("")).not.toContain(character);
  expect(lines()).toMatchObject([{ text: `a${character}b${character}` }]);
});

test("a host that reads slowly gets the rest in one write when it has read, in order", async () => {
  const { sink, chunks, makeRoom } = slowSink();
  const writer = openSender(sink, () => {});
  writer.send(message("a"));
  await settle();
  for (const text of ["b", "c", "d"]) writer.send(message(text));
  await settle();
  expect(chunks).toHaveLength(1);
  let isDrained = false;
  void writer.drained()?.then(() => {
    isDrained = true;
  });
  await makeRoom();
  expect(isDrained).toBe(false);
  await makeRoom();
  expect(isDrained).toBe(true);
  expect(chunks).toHaveLength(2);
  expect([...chunks.join("").matchAll(/"seq":(\d)/g)].map(([, seq]) => seq)).toEqual([
    "1",
    "2",
    "3",
    "4",
  ]);
});

test("the backlog counts the characters that a slow host has not taken", async () => {
  const { sink, chunks, makeRoom } = slowSink();
  const writer = openSender(sink, () => {});
  expect(writer.backlog()).toBe(0);
  writer.send(message("a"));
  await settle();
  writer.send(message("b".repeat(1000)));
  const first = chunks.join("").length;
  expect(writer.backlog()).toBeGreaterThan(first + 1000);
  await makeRoom();
  expect(writer.backlog()).toBe(chunks.join("").length - first);
  await makeRoom();
  expect(writer.backlog()).toBe(0);
});

const BROKEN: readonly (readonly [name: string, sink: Sink])[] = [
  [
    "at the write",
    {
      write: () => {
        throw new Error("EPIPE");
      },
      flush: () => undefined,
    },
  ],
  [
    "later, at the write and at the flush",
    {
      write: () => Promise.reject(new Error("EPIPE")),
      flush: () => Promise.reject(new Error("EPIPE")),
    },
  ],
  ["at the flush", { write: () => undefined, flush: () => Promise.reject(new Error("EPIPE")) }],
];
test.each([...BROKEN])(
  "a host that is gone %s is noticed once, and nothing is kept for it",
  async (_name, sink) => {
    let gone = 0;
    const writer = openSender(sink, () => void gone++);
    for (const text of ["a", "b"]) writer.send(message(text));
    await writer.flush();
    writer.send(message("c"));
    await settle();
    expect([gone, writer.backlog(), writer.drained()]).toEqual([1, 0, undefined]);
  },
);

test("a message that cannot be serialised leaves no gap in seq", async () => {
  const { writer, lines } = opened();
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  writer.send(message("a"));
  expect(() => writer.send({ type: "unknown_event", original_type: "x", raw: circle })).toThrow();
  writer.send(message("b"));
  await writer.flush();
  expect(lines().map(({ seq }) => seq)).toEqual([1, 2]);
});
