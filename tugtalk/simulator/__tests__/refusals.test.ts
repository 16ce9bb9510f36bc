import { expect, test } from "bun:test";
import { judgeAnswer, judgeLine } from "../refusals.ts";

/** The robustness table of the protocol reference, §2. */
const lines: readonly [name: string, line: string, kind: "message" | "ignored" | "fatal"][] = [
  ["not JSON", "hello world", "fatal"],
  ["null", "null", "fatal"],
  ["user without message", '{"type":"user"}', "fatal"],
  [
    "a role other than user",
    '{"type":"user","message":{"role":"assistant","content":"x"}}',
    "fatal",
  ],
  ["a control_request without request", '{"type":"control_request","request_id":"x"}', "fatal"],
  ["a bare control_response", '{"type":"control_response"}', "ignored"],
  ["a number as content", '{"type":"user","message":{"role":"user","content":5}}', "ignored"],
  ["an empty line", "", "ignored"],
  ["spaces", "   ", "ignored"],
  ["an array", "[]", "ignored"],
  ["a string", '"x"', "ignored"],
  ["an empty object", "{}", "ignored"],
  ["an unknown type", '{"type":"bogus"}', "ignored"],
  ["an assistant line", '{"type":"assistant"}', "ignored"],
  ["keep_alive", '{"type":"keep_alive"}', "ignored"],
  [
    "a user message with CR at its end",
    '{"type":"user","message":{"role":"user","content":"x"}}\r',
    "message",
  ],
];

test.each(lines)("the line %s is handled as the real CLI does", (_name, line, kind) => {
  expect(judgeLine(line).kind).toBe(kind);
});

const words: readonly [line: string, stderr: string][] = [
  ["garbage", "Error parsing streaming input line (type=unknown, 7 chars): SyntaxError"],
  ["null", "Error parsing streaming input line (type=unknown, 4 chars): TypeError"],
  ['{"type":"user"}', "Error: Expected message role 'user', got 'undefined'"],
];

test.each(words)("%p ends it with an error that names the line", (line, stderr) => {
  expect(judgeLine(line)).toEqual({ kind: "fatal", stderr });
});

const success = (response: unknown) => ({ subtype: "success", request_id: "p", response });

/** The table of answers of §5b. */
const answers: readonly [
  name: string,
  response: object,
  outcome: "allowed" | "denied" | "refused",
][] = [
  ["allow", success({ behavior: "allow", updatedInput: {} }), "allowed"],
  ["allow alone", success({ behavior: "allow" }), "allowed"],
  ["allow with null", success({ behavior: "allow", updatedInput: null }), "refused"],
  ["deny", success({ behavior: "deny", message: "no" }), "denied"],
  ["deny in silence", success({ behavior: "deny", message: "" }), "denied"],
  ["deny alone", success({ behavior: "deny" }), "refused"],
  ["a decision", success({ decision: "allow" }), "refused"],
  ["another behavior", success({ behavior: "maybe" }), "refused"],
  ["null", success(null), "refused"],
  ["nothing", { subtype: "success", request_id: "p" }, "refused"],
  ["extra fields", success({ behavior: "allow", updatedInput: {}, more: 1 }), "allowed"],
  ["an error", { subtype: "error", request_id: "p", error: "host failed" }, "refused"],
];

test.each(answers)("the answer %s is handled as the real CLI does", (_name, response, outcome) => {
  expect(judgeAnswer({ ...response }).kind).toBe(outcome);
});
