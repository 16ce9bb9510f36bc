import { expect, test } from "bun:test";
import { expandRepeats, parseConversation } from "../conversation.ts";
import { isMatch } from "../matching.ts";

const accepted: readonly [name: string, line: object][] = [
  ["a spawn line of a capture", { t: 0, dir: "spawn", msg: { args: [], env: {} } }],
  ["an in line", { dir: "in", msg: { type: "user" } }],
  ["the end of stdin", { dir: "in", msg: "<EOF>" }],
  ["an out line", { dir: "out", msg: { type: "result" } }],
  ["a bad out line", { dir: "out", msg: "not JSON {" }],
  ["a trimmed out line", { dir: "out", msg: { __trimmed: 9, head: "{" } }],
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
    isStrict: false,
    entries: [{ dir: "pause", msg: 1, line: 4 }],
  });
});

test("the note strict counts only where the conversation opens", () => {
  const [strict, pause] = ['{"dir":"note","msg":"strict"}', '{"dir":"pause","msg":1}'];
  expect(parseConversation(`{"dir":"spawn","msg":{}}\n${strict}\n${pause}`).isStrict).toBe(true);
  expect(parseConversation(`${pause}\n${strict}`).isStrict).toBe(false);
});

const said = { type: "user", uuid: "u", message: { role: "user", content: [{ text: "hi" }] } };
const mode = { subtype: "set_permission_mode", mode: "plan" };
const asked = { type: "control_request", request_id: "r9", request: mode };
const answered = { type: "control_response", response: { request_id: "p1", response: {} } };

/** What both kinds of matching say: lenient, then strict. */
type Verdicts = readonly [lenient: boolean, strict: boolean];

type MatchRow = [name: string, pattern: unknown, received: unknown, verdicts: Verdicts];

const matches: readonly MatchRow[] = [
  ["the same user message", said, said, [true, true]],
  ["a user message with another uuid", { ...said, uuid: "v" }, said, [true, true]],
  ["another user message", { type: "user", message: { content: "no" } }, said, [true, false]],
  ["a longer array", { type: "user", message: { content: [{}, {}] } }, said, [true, false]],
  ["a bare type", { type: "user" }, said, [true, true]],
  ["the same request by another id", { ...asked, request_id: "r1" }, asked, [true, true]],
  ["another mode", { ...asked, request: { ...mode, mode: "auto" } }, asked, [true, false]],
  ["another request", { ...asked, request: { subtype: "interrupt" } }, asked, [false, false]],
  [
    "an answer by id",
    { type: "control_response", response: { request_id: "p1" } },
    answered,
    [true, true],
  ],
  [
    "an answer to another",
    { type: "control_response", response: { request_id: "p2" } },
    answered,
    [false, false],
  ],
  ["another type", { type: "keep_alive" }, said, [false, false]],
  ["the end of stdin", "<EOF>", "<EOF>", [true, true]],
];

test.each(matches)(
  "an entry is matched leniently or strictly: %s",
  (_name, pattern, received, [lenient, strict]) => {
    expect(isMatch(pattern, received, false)).toBe(lenient);
    expect(isMatch(pattern, received, true)).toBe(strict);
  },
);

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
