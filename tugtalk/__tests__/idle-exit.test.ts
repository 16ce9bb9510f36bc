/** `--idle-exit`: a bridge whose host is silent ends, as if its input had ended. */
import { expect, test } from "bun:test";
import { type BridgeState, bringTo } from "../testing/drivers/bridge-states.ts";
import { isGone } from "../testing/drivers/claudes.ts";
import { startSilently } from "../testing/drivers/silent-host.ts";
import { observe } from "../testing/observer/observer.ts";

const STATES: readonly BridgeState[] = ["idle", "streaming", "prompt open"];

test.each([...STATES])("a silent host ends its bridge in the state %s", async (state) => {
  const bridge = await bringTo(state, { args: ["--idle-exit=1"] });
  expect(await bridge.exited).toBe(0);
  const exit = bridge.received.find(({ type }) => type === "process_exit");
  expect(exit).toMatchObject({ expected: true, will_restart: false });
  expect(observe({ received: bridge.received, isOver: true })).toEqual([]);
});

test("a silent host that does not read leaves neither its bridge nor its Claude", async () => {
  const host = await startSilently({ TUGTALK_SIM_FLOOD: "20000x1024" }, ["--idle-exit=1"]);
  host.send({ type: "protocol_init", version: 2, options: { shutdown_grace_ms: 200 } });
  const { pid } = await host.readUntil(({ type }) => type === "process_started");
  host.send({ type: "user_message", text: "go" });
  await host.readUntil(({ status }) => status === "partial");
  await Promise.all([isGone(Number(pid)), isGone(host.pid)]);
  expect(await host.readToEnd()).toBe(0);
  expect(host.received.some(({ type }) => type === "process_exit")).toBe(false);
});
