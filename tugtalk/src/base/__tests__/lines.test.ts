/** Splitting bytes into lines, for any chunks. */
import { describe, expect, test } from "bun:test";
import { isOverlong, LineSplitter } from "../lines.ts";

const EDGE = 4096;

/** Feeds the chunks and ends the stream; gives lines as text, and the sizes of those over the limit. */
function split(chunks: readonly (string | Uint8Array)[], maxBytes?: number): (string | number)[] {
  const splitter = new LineSplitter(maxBytes);
  const lines = chunks.flatMap((chunk) => splitter.feed(Buffer.from(chunk)));
  return [...lines, ...splitter.end()].map((line) =>
    isOverlong(line) ? line.overlongBytes : new TextDecoder().decode(line),
  );
}

const ROWS: readonly (readonly [name: string, text: string, lines: readonly string[]])[] = [
  ["an empty stream has no lines", "", []],
  ["each LF ends a line", "one\ntwo\n", ["one", "two"]],
  ["the last line needs no LF", "one\ntwo", ["one", "two"]],
  ["a CR before the LF is not part of the line", "one\r\ntwo\r", ["one", "two"]],
  ["a CR elsewhere is part of the line", "o\rne\r\r\n", ["o\rne\r"]],
  ["empty lines and lines of spaces and tabs are dropped", "\n\r\n  \t\none\n \t \r\n\n", ["one"]],
  ["spaces around a line are kept", "  one \n", ["  one "]],
  ["U+2028 and U+2029 do not end a line", "a\u2028b\u2029c\n", ["a\u2028b\u2029c"]],
  ["characters of several bytes are kept", "ä€\u{1f600}\nß\n", ["ä€\u{1f600}", "ß"]],
];

describe.each([...ROWS])("%s", (_name, text, lines) => {
  const bytes = Buffer.from(text);
  test("holds for one chunk", () => {
    expect(split([bytes])).toEqual([...lines]);
  });
  test("holds for two chunks, cut at any byte", () => {
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(split([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toEqual([
        ...lines,
      ]);
    }
  });
  test("holds for chunks of one byte", () => {
    expect(split([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual([...lines]);
  });
});

/** With a limit of five bytes: a longer line is given by its size. */
const LIMITED: readonly (readonly [text: string, lines: readonly (string | number)[]])[] = [
  ["12345\n", ["12345"]],
  ["123456\n", [6]],
  ["123456", [6]],
  ["1234567890\nshort\n", [10, "short"]],
  ["a\n123456\nb\n123456789\nc", ["a", 6, "b", 9, "c"]],
];

test.each([...LIMITED])("with a limit of 5 bytes %j gives %j for any chunks", (text, lines) => {
  for (let at = 0; at <= text.length; at += 1) {
    expect(split([text.slice(0, at), text.slice(at)], 5), `cut at ${at}`).toEqual([...lines]);
  }
  expect(split([...text], 5)).toEqual([...lines]);
});

/** An overlong line with a recognisable head and tail. */
const LONG = `head${"x".repeat(30_000)}tail\n`;

test.each([7, 100, 4095, 4096, 4097, 30_009])(
  "the first and last bytes of an overlong line are kept when it comes in chunks of %d",
  (size) => {
    const splitter = new LineSplitter(5000);
    const lines = [];
    for (let at = 0; at < LONG.length; at += size) {
      lines.push(...splitter.feed(Buffer.from(LONG.slice(at, at + size))));
    }
    const [line] = lines;
    if (line === undefined || !isOverlong(line)) throw new Error("it was not over the limit");
    expect(line.overlongBytes).toBe(LONG.length - 1);
    expect(line.edges).toBe(LONG.slice(0, EDGE) + LONG.slice(-1 - EDGE, -1));
  },
);

test("the edges of a line just over the limit hold the whole line once", () => {
  const [line] = new LineSplitter(10).feed(Buffer.from('{"type":"result"}\n'));
  expect(line).toMatchObject({ overlongBytes: 17 });
  expect(JSON.stringify(line)).toContain("result");
});

test("each of two overlong lines keeps its own edges", () => {
  const lines = new LineSplitter(5000).feed(
    Buffer.from(`${"a".repeat(9000)}\n${"b".repeat(9000)}\n`),
  );
  const edges = lines.map((line) => (isOverlong(line) ? line.edges : "whole"));
  expect(edges.map((text) => new Set(text))).toEqual([new Set("a"), new Set("b")]);
});

test("a line of exactly the limit is returned whole for any chunks", () => {
  const line = "0123456789".repeat(1000);
  for (const size of [1000, 4097, 9999, 10_000]) {
    const cuts = Math.ceil(line.length / size);
    const chunks = Array.from({ length: cuts }, (_, at) => line.slice(at * size, (at + 1) * size));
    expect(split([...chunks, "\n"], 10_000), `in chunks of ${size}`).toEqual([line]);
  }
});

test("the line after an overlong one starts empty", () => {
  expect(split(["x".repeat(9000), "x\n", "ok\n", "y".repeat(9000), "\n", "ok\n"], 100)).toEqual([
    9001,
    "ok",
    9000,
    "ok",
  ]);
});

const CHUNK = 64 * 1024;

test.each([-2, -1, 0, 1])(
  "spaces at the edge of a chunk of 64 KiB are kept in the line (shift %d)",
  (shift) => {
    const text = `${"a".repeat(CHUNK - 1 + shift)}  \t${"b".repeat(10)}`;
    const bytes = Buffer.from(`${text}\nnext\n`);
    expect(split([bytes.subarray(0, CHUNK), bytes.subarray(CHUNK)])).toEqual([text, "next"]);
  },
);

test("a line whose first chunk has only spaces is returned whole", () => {
  expect(split(["   ", "\t", "x\n", "  ", " \n", "y\n"])).toEqual(["   \tx", "y"]);
});

test("a returned line does not change when further chunks arrive", () => {
  const splitter = new LineSplitter();
  const first = ["on", "e\n"].flatMap((chunk) => splitter.feed(Buffer.from(chunk)));
  for (const chunk of ["tw", "o\nthr", "ee\n"]) splitter.feed(Buffer.from(chunk));
  expect(first.map((line) => Buffer.from(line as Uint8Array).toString())).toEqual(["one"]);
});

test("a chunk may be overwritten after its lines are used", () => {
  const splitter = new LineSplitter();
  const chunk = Buffer.from("held");
  expect(splitter.feed(chunk)).toEqual([]);
  chunk.fill("x");
  const [line] = splitter.feed(Buffer.from(" back\n"));
  expect(Buffer.from(line as Uint8Array).toString()).toBe("held back");
});
