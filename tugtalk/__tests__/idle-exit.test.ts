/** `--idle-exit`: a bridge whose host is silent ends, as if its input had ended. */
import { expect, test } from "bun:test";
import type { TestBridge } from "../testing/drivers/bridge-process.ts";
import { startConversation } from "../testing/drivers/bridge-states.ts";
import { isGone } from "../testing/drivers/claudes.ts";
import { startSilently } from "../testing/drivers/silent-host.ts";
import { ASKING } from "../testing/drivers/written-conversation.ts";
import { observe } from "../testing/observer/observer.ts";

/** Says that the host is there until something has come, however long that takes. */
async function stayingUntil(
  { sendRaw }: Pick<TestBridge, "sendRaw">,
  come: Promise<unknown>,
): Promise<void> {
  const timer = setInterval(() => sendRaw("\n"), 50);
  await come.finally(() => clearInterval(timer));
}

test("a silent host ends its bridge, whatever is open", async () => {
  const bridge = startConversation(ASKING, { args: ["--idle-exit=1"] });
  bridge.send({ type: "protocol_init", version: 2 });
  bridge.send({ type: "user_message", text: "go" });
  await stayingUntil(bridge, bridge.next("control_request_forward"));
  expect(await bridge.exited).toBe(0);
  const exit = bridge.received.find(({ type }) => type === "process_exit");
  expect(exit).toMatchObject({ expected: true, will_restart: false });
  expect(observe({ received: bridge.received, isOver: true })).toEqual([]);
});

test("a silent host that does not read leaves neither its bridge nor its Claude", async () => {
  const host = await startSilently({ TUGTALK_SIM_FLOOD: "20000x1024" }, ["--idle-exit=1"]);
  host.send({ type: "protocol_init", version: 2, options: { shutdown_grace_ms: 200 } });
  host.send({ type: "user_message", text: "go" });
  await stayingUntil(
    host,
    host.readUntil(({ status }) => status === "partial"),
  );
  const started = host.received.find(({ type }) => type === "process_started");
  await Promise.all([isGone(Number(started?.["pid"])), isGone(host.pid)]);
  expect(await host.readToEnd()).toBe(0);
  expect(host.received.some(({ type }) => type === "process_exit")).toBe(false);
});
