/** Errors of the bridge that end the start of a session. */
import { expect, test } from "bun:test";
import { errorMessage } from "../../src/messages/errors.ts";
import { startFailure } from "../start-failure.ts";

test.each([
  ["claude_unresponsive", { recoverable: false }, -32603],
  ["internal", { recoverable: false }, -32603],
  ["claude_start_failed", { recoverable: false, reason: "not_logged_in" }, -32000],
  ["resume_failed", { reason: "no_such_session" }, -32002],
  ["claude_unresponsive", {}, undefined],
] as const)("the error %s with %p ends a start with %p", (code, fields, expected) => {
  expect(startFailure(errorMessage(code, "why", fields))?.code).toBe(expected);
});
