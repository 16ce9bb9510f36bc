/** One line of the host's: the message in it, or the one error that answers it. */
import { describe, expect, test } from "bun:test";
import { parseInboundLine } from "../inbound-line.ts";
import { BAD_LINES, EXAMPLES } from "./support/bad-host-lines.ts";

const bytes = (line: string | Uint8Array) => Buffer.from(line);

test.each([...EXAMPLES])("$type is parsed to what it says", (example) => {
  expect(parseInboundLine(bytes(JSON.stringify(example)))).toEqual({ message: example as never });
});

test.each([...BAD_LINES])("$name is a problem, and never thrown", ({ line, code, reply }) => {
  const parsed = parseInboundLine(bytes(line));
  if (!("problem" in parsed)) throw new Error("it was taken");
  expect(parsed.problem.code).toBe(code as typeof parsed.problem.code);
  expect(parsed.problem.in_reply_to).toBe(reply as string);
  expect(parsed.problem.message).not.toBe("");
});

test.each([
  ["my-secret", "not a line of JSON"],
  ['{"a": my-secret}', "not a line of JSON"],
  [new Uint8Array([0xff]), "not UTF-8"],
])("%p is bad JSON, and nothing of it is repeated", (line, message) => {
  expect(parseInboundLine(bytes(line))).toEqual({ problem: { code: "bad_json", message } });
});

describe("a problem", () => {
  const problemOf = (line: object) => parseInboundLine(bytes(JSON.stringify(line)));

  test("names what the line was about, as far as it can be read", () => {
    const line = { type: "tool_approval", id: "i", request_id: "r", message_id: "m" };
    expect(problemOf(line)).toMatchObject({
      problem: { code: "bad_message", in_reply_to: "i", request_id: "r", message_id: "m" },
    });
  });

  test("names nothing that is not a string", () => {
    const parsed = problemOf({ type: "shout", id: 7, request_id: null, message_id: {} });
    expect(parsed).toEqual({ problem: { code: "unknown_type", message: "unknown type: shout" } });
  });

  test("does not repeat a long type", () => {
    const parsed = problemOf({ type: "x".repeat(10_000) });
    expect(JSON.stringify(parsed).length).toBeLessThan(300);
  });

  test("says which field is wrong", () => {
    expect(problemOf({ type: "tool_approval", request_id: "r", decision: "maybe" })).toMatchObject({
      problem: { message: expect.stringContaining("decision") },
    });
  });
});

test("a line cut anywhere is bad JSON, or a message of its own", () => {
  const line = bytes(JSON.stringify({ type: "user_message", text: "ä€\u{1f600}\\" }));
  for (let at = 0; at < line.length; at += 1) {
    const parsed = parseInboundLine(line.subarray(0, at));
    expect(parsed, `cut at ${at}`).toMatchObject({ problem: { code: "bad_json" } });
  }
});
