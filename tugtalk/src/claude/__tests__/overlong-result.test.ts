/** Which overlong lines of Claude are results. */
import { expect, test } from "bun:test";
import { isOverlongResult } from "../overlong-result.ts";

test.each([
  ["a result of V38", '{"type":"result","subtype":"success","result":"x', true],
  ["a result of V330", '{"is_error":false,"result":"xxx","type":"result","uuid":"u"}', true],
  ["a tool result with an object of that type", '{"type":"user","x":{"type":"result"', false],
  ["a tool call with such an input", '{"type":"assistant","input":{"type":"result"}', false],
  ["any other text", "x", false],
])("an overlong line is a result by its own type: %s", (_name, edges, isResult) => {
  expect(isOverlongResult({ overlongBytes: 9_000_000, head: "", edges })).toBe(isResult);
});
