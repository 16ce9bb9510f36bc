/** Requests to the bridge of a session. */
import { expect, test } from "bun:test";
import { errorMessage } from "../../src/messages/errors.ts";
import { failureOf } from "../../testing/drivers/failure.ts";
import { BridgeRequests } from "../bridge-requests.ts";

test("a request that the bridge refuses by an error fails with its words", async () => {
  const requests = new BridgeRequests(
    () => "one",
    () => {},
  );
  const asked = failureOf(requests.ask({ type: "permission_mode", mode: "plan" }));
  requests.rejected(errorMessage("control_rejected", "too many", { in_reply_to: "one" }));
  expect(await asked).toMatchObject({ code: -32603, message: "too many" });
});
