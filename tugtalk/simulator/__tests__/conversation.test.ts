import { expect, test } from "bun:test";
import { expandRepeats, parseConversation } from "../conversation.ts";

const accepted: readonly [name: string, line: object][] = [
  ["a spawn line of a capture", { t: 0, dir: "spawn", msg: { args: [], env: {} } }],
  ["an in line", { dir: "in", msg: { type: "user" } }],
  ["the end of stdin", { dir: "in", msg: "<EOF>" }],
  ["an out line", { dir: "out", msg: { type: "result" } }],
  ["a bad out line", { dir: "out", msg: "not JSON {" }],
  ["a line without its newline", { dir: "out", msg: { __unterminated: "{" } }],
  ["stderr", { dir: "err", msg: "oh\n" }],
  ["a pause", { dir: "pause", msg: 10 }],
  ["an exit", { t: 3, dir: "exit", msg: { code: null, signal: "SIGKILL" } }],
  ["a note", { dir: "note", msg: { anything: true } }],
];

test.each(accepted)("%s is accepted", (_name, line) => {
  expect(() => parseConversation(JSON.stringify(line))).not.toThrow();
});

const rejected: readonly [name: string, text: string, error: RegExp][] = [
  ["text", "hello", /conversation line 2: not JSON: hello/],
  ["an unknown direction", '{"dir":"up","msg":1}', /conversation line 2: dir: /],
  ["a pause in words", '{"dir":"pause","msg":"long"}', /conversation line 2: msg: /],
  ["an exit without code", '{"dir":"exit","msg":{"signal":null}}', /line 2: msg.code: /],
  ["an out number", '{"dir":"out","msg":5}', /conversation line 2: msg: /],
];

test.each(rejected)("%s is rejected with its line number", (_name, text, error) => {
  expect(() => parseConversation(`{"dir":"note","msg":"x"}\n${text}\n`)).toThrow(error);
});

test("comments are not entries", () => {
  const text = '{"dir":"spawn","msg":{}}\n\n{"dir":"note","msg":"x"}\n{"dir":"pause","msg":1}';
  expect(parseConversation(text)).toEqual({
    entries: [{ dir: "pause", msg: 1, line: 4 }],
  });
});

test("a line that a recorder has left out is no entry", () => {
  const left = [{ __trimmed: 9, head: "{" }, { $overlong_bytes: 9, edges: "" }, "<EOF>"];
  const text = left.map((msg) => JSON.stringify({ dir: "out", msg })).join("\n");
  expect(parseConversation(text)).toEqual({ entries: [] });
});

test("the lines of a recording that name another process are not this one's", () => {
  const text = [
    { dir: "spawn", run: 1, msg: {} },
    { dir: "spawn", run: 2, msg: {} },
    { dir: "out", run: 1, msg: "one" },
    { dir: "out", run: 2, msg: "two" },
  ]
    .map((entry) => JSON.stringify(entry))
    .join("\n");
  expect(parseConversation(text, 2)).toMatchObject({ entries: [{ msg: "two" }] });
});

test("a repetition with a join is one text", () => {
  const value = { text: { $repeat: "line {n}", count: 3, join: "\n" } };
  expect(expandRepeats(value)).toEqual({ text: "line 1\nline 2\nline 3" });
});

test("repetitions without a join are elements of their array, between the others", () => {
  const value = [["-0"], { $repeat: "-{n}", count: 2 }, "x", { $repeat: "+{n}", count: 1 }];
  expect(expandRepeats(value)).toEqual([["-0"], "-1", "-2", "x", "+1"]);
});

test("an element with a join is one element", () => {
  expect(expandRepeats([{ $repeat: "{n}", count: 2, join: "," }])).toEqual(["1,2"]);
});

test.each([
  { $repeat: "a" },
  { $repeat: "a", count: 0 },
  { $repeat: "a", count: 1, seperator: "" },
  { $repeat: 1, count: 1 },
])("%j is refused", (value) => {
  expect(() => expandRepeats({ value })).toThrow();
});
