/** Errors of the bridge that stand in the place of what the agent waits for. */
import { expect, test } from "bun:test";
import { errorMessage } from "../../src/messages/errors.ts";
import { failureOf } from "../../testing/drivers/failure.ts";
import { BridgeRequests } from "../bridge-requests.ts";
import { startFailure } from "../start-failure.ts";

test("a request that the bridge refuses by an error fails with its words", async () => {
  const requests = new BridgeRequests(
    () => "one",
    () => {},
  );
  const asked = failureOf(requests.ask({ type: "permission_mode", mode: "plan" }));
  requests.rejected(errorMessage("control_rejected", "too many", { in_reply_to: "one" }));
  expect(await asked).toMatchObject({ code: -32603, message: "too many" });
});

test.each([
  ["claude_unresponsive", { recoverable: false }, -32603],
  ["internal", { recoverable: false }, -32603],
  ["claude_start_failed", { recoverable: false, reason: "not_logged_in" }, -32000],
  ["resume_failed", { reason: "no_such_session" }, -32002],
  ["claude_unresponsive", {}, undefined],
] as const)("%s %p ends a start with %p", (code, fields, expected) => {
  expect(startFailure(errorMessage(code, "why", fields))?.code).toBe(expected);
});
