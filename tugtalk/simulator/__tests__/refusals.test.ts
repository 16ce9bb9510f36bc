import { expect, test } from "bun:test";
import type { ImitatedVersion } from "../imitated-version.ts";
import { judgeAnswer, judgeLine } from "../refusals.ts";

const VERSIONS: readonly ImitatedVersion[] = ["2.1.38", "2.1.197", "2.1.330"];

type Kind = "message" | "ignored" | "fatal" | "failed";

/** The robustness table of the protocol reference, §2: V38, V197, V330. */
const lines: readonly [name: string, line: string, kinds: readonly Kind[]][] = [
  ["not JSON", "hello world", ["fatal", "fatal", "fatal"]],
  ["null", "null", ["fatal", "fatal", "fatal"]],
  ["user without message", '{"type":"user"}', ["fatal", "fatal", "fatal"]],
  [
    "a role other than user",
    '{"type":"user","message":{"role":"assistant","content":"x"}}',
    ["fatal", "fatal", "fatal"],
  ],
  [
    "a control_request without request",
    '{"type":"control_request","request_id":"x"}',
    ["fatal", "fatal", "fatal"],
  ],
  ["a bare control_response", '{"type":"control_response"}', ["fatal", "fatal", "ignored"]],
  [
    "a number as content",
    '{"type":"user","message":{"role":"user","content":5}}',
    ["failed", "failed", "ignored"],
  ],
  ["an empty line", "", ["fatal", "ignored", "ignored"]],
  ["spaces", "   ", ["fatal", "fatal", "ignored"]],
  ["an array", "[]", ["fatal", "ignored", "ignored"]],
  ["a number", "42", ["fatal", "ignored", "ignored"]],
  ["a string", '"x"', ["fatal", "ignored", "ignored"]],
  ["an empty object", "{}", ["fatal", "ignored", "ignored"]],
  ["an unknown type", '{"type":"bogus"}', ["fatal", "ignored", "ignored"]],
  ["an assistant line", '{"type":"assistant"}', ["fatal", "ignored", "ignored"]],
  ["a system line", '{"type":"system"}', ["fatal", "ignored", "ignored"]],
  ["a cancel request", '{"type":"control_cancel_request"}', ["fatal", "ignored", "ignored"]],
  ["keep_alive", '{"type":"keep_alive"}', ["ignored", "ignored", "ignored"]],
  [
    "an environment",
    '{"type":"update_environment_variables","variables":{}}',
    ["ignored", "ignored", "ignored"],
  ],
  [
    "a user message with CR at its end",
    '{"type":"user","message":{"role":"user","content":"x"}}\r',
    ["message", "message", "message"],
  ],
];

test.each(lines)("each version handles the line %s as its real CLI does", (_name, line, kinds) => {
  expect(VERSIONS.map((version) => judgeLine(version, line).kind)).toEqual([...kinds]);
});

const words: readonly [version: ImitatedVersion, line: string, stderr: string][] = [
  ["2.1.38", "garbage", "Error parsing streaming input line: garbage: SyntaxError"],
  ["2.1.197", "null", "Error parsing streaming input line: null: TypeError"],
  ["2.1.330", "garbage", "Error parsing streaming input line (type=unknown, 7 chars): SyntaxError"],
  ["2.1.330", "null", "Error parsing streaming input line (type=unknown, 4 chars): TypeError"],
  ["2.1.38", '{"type":"bogus"}', "Error: Expected message type 'user' or 'control', got 'bogus'"],
  ["2.1.330", '{"type":"user"}', "Error: Expected message role 'user', got 'undefined'"],
];

test.each(words)("%s ends on %p with an error that names the line", (version, line, stderr) => {
  expect(judgeLine(version, line)).toEqual({ kind: "fatal", stderr });
});

type Outcome = "allowed" | "denied" | "refused";

const success = (response: unknown) => ({ subtype: "success", request_id: "p", response });

/** The table of answers of §5b: V38, V197, V330. */
const answers: readonly [name: string, response: object, outcomes: readonly Outcome[]][] = [
  ["allow", success({ behavior: "allow", updatedInput: {} }), ["allowed", "allowed", "allowed"]],
  ["allow alone", success({ behavior: "allow" }), ["refused", "refused", "allowed"]],
  [
    "allow with null",
    success({ behavior: "allow", updatedInput: null }),
    ["refused", "refused", "refused"],
  ],
  ["deny", success({ behavior: "deny", message: "no" }), ["denied", "denied", "denied"]],
  ["deny in silence", success({ behavior: "deny", message: "" }), ["denied", "denied", "denied"]],
  ["deny alone", success({ behavior: "deny" }), ["refused", "refused", "refused"]],
  ["a decision", success({ decision: "allow" }), ["refused", "refused", "refused"]],
  ["another behavior", success({ behavior: "maybe" }), ["refused", "refused", "refused"]],
  ["null", success(null), ["refused", "refused", "refused"]],
  ["nothing", { subtype: "success", request_id: "p" }, ["refused", "refused", "refused"]],
  [
    "extra fields",
    success({ behavior: "allow", updatedInput: {}, more: 1 }),
    ["allowed", "allowed", "allowed"],
  ],
  [
    "an error",
    { subtype: "error", request_id: "p", error: "host failed" },
    ["refused", "refused", "refused"],
  ],
];

test.each(answers)("each version handles the answer %s as its real CLI does", (...row) => {
  const [, response, outcomes] = row;
  expect(VERSIONS.map((version) => judgeAnswer(version, { ...response }).kind)).toEqual([
    ...outcomes,
  ]);
});

test("a refused answer is reported in the words of its version", () => {
  const reasons = VERSIONS.map((version) => judgeAnswer(version, success({ behavior: "maybe" })));
  expect(reasons).toEqual([
    {
      kind: "refused",
      reason: expect.stringMatching(/^Tool permission request failed: ZodError: \[\n {2}\{/),
    },
    { kind: "refused", reason: expect.stringContaining('"invalid_union"') },
    {
      kind: "refused",
      reason: expect.stringMatching(
        /^The canUseTool callback returned an invalid permission result/,
      ),
    },
  ]);
});
