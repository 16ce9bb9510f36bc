/** The host's end of the pipes: what is said to a bridge that does not listen any more. */
import { expect, test } from "bun:test";
import { startBridge } from "../bridge-process.ts";

test("what is said to a bridge that has closed its input is lost without harm", async () => {
  const script = "exec 0<&-; echo '{}'; exec sleep 600";
  const bridge = startBridge(["/bin/sh", "-c", script], {});
  const messages = bridge.messages[Symbol.asyncIterator]();
  expect((await messages.next()).done).toBe(false);
  for (let said = 0; said < 3; said += 1)
    bridge.send({ type: "user_message", text: "x".repeat(1_000_000) });
  bridge.close();
  bridge.stop();
  expect((await messages.next()).done).toBe(true);
  await bridge.exited;
});
