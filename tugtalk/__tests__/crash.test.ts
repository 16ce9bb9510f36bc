/** Claude exits by itself: the messages to the host, in order. The faults' ring has every way in every state. */
import { expect, test } from "bun:test";
import {
  HALF,
  HALF_A_TURN,
  initialize,
  startConversation,
} from "../testing/drivers/bridge-states.ts";
import { endCleanly } from "../testing/drivers/clean-end.ts";

const LAST_WORDS = { dir: "err", msg: "segmentation fault, probably\n" };

const DEATHS = [
  { name: "exit code 1", msg: { code: 1, signal: null } },
  { name: "SIGKILL", msg: { code: null, signal: "SIGKILL" } },
];

test.each(DEATHS)("$name in a turn ends what was open, in order", async ({ msg }) => {
  const bridge = startConversation([...HALF_A_TURN, LAST_WORDS, { dir: "exit", msg }]);
  await initialize(bridge);
  bridge.send({ type: "user_message", text: "go" });
  expect(await bridge.next("process_exit")).toMatchObject({
    exit_code: msg.code,
    signal: msg.signal,
    expected: false,
    stderr_tail: LAST_WORDS.msg,
    will_restart: true,
  });
  expect(bridge.received.slice(-5, -1)).toMatchObject([
    { type: "assistant_text", status: "abandoned" },
    { type: "turn_cancelled", reason: "exited", partial_result: HALF },
    { type: "message_status", status: "failed" },
    { type: "process_exit" },
  ]);
  await endCleanly(bridge);
});
