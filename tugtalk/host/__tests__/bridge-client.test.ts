/** The host's end of the pipes: writing to a bridge that does not read any more. */
import { expect, test } from "bun:test";
import { startBridge } from "../bridge-client.ts";

test("messages to a bridge that has closed its input are lost without harm", async () => {
  const script = "exec 0<&-; echo '{}'; exec sleep 600";
  const bridge = startBridge(["/bin/sh", "-c", script]);
  const messages = bridge.messages[Symbol.asyncIterator]();
  expect((await messages.next()).done).toBe(false);
  for (let sent = 0; sent < 3; sent += 1)
    bridge.send({ type: "user_message", text: "x".repeat(1_000_000) });
  bridge.close();
  bridge.stop();
  expect((await messages.next()).done).toBe(true);
  await bridge.exited;
});
