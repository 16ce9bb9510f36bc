/** Sessions that do not read the messages of their bridges: their Claudes wait, and no other work does. */
import { expect, test } from "bun:test";
import { CHECKED_COMMAND } from "../../../testing/drivers/bridge-process.ts";
import { STAND_IN } from "../../../testing/drivers/claudes.ts";
import { openFaultControl } from "../../../testing/drivers/controlled-claude.ts";
import { areStill } from "../../../testing/drivers/silent-host.ts";
import type { Bridge } from "../bridge.ts";
import { LineGate } from "../line-gate.ts";
import { openLocalBridges } from "../local-bridge.ts";
import { PlaceBridges } from "../place-bridge.ts";

const HERE = [
  "sh",
  "-c",
  `shift; exec ${CHECKED_COMMAND.join(" ")} --claude=${STAND_IN} "$@"`,
  "sh",
];
const gate = new LineGate();
const pass = gate.passFor(0);
const LINE_CHARS = 10_000;
const LINE = { type: "made_up_news", count: "$count", padding: "x".repeat(LINE_CHARS) };
/** The most characters in transit and in the buffers of bridge and Claude. */
const MAX_HELD_CHARS = 16 * 1024 * 1024;

async function flooded(bridge: Bridge) {
  const control = openFaultControl();
  await bridge.request({ type: "protocol_init", version: 2, options: { env: control.env } });
  const claude = await control.first;
  await claude.apply({ order: "listen" }, { order: "flood", line: LINE });
  /** Resolves when all messages have come, and the bridge has ended. */
  const readAll = async () => {
    await claude.apply({ order: "stop_flood" });
    const length = await claude.countFlood();
    const counts: number[] = [];
    for await (const message of bridge.messages) {
      if (message.type !== "unknown_event") continue;
      counts.push(Number(Object(message.raw).count));
      if (counts.length === length) void bridge.close();
    }
    expect(counts).toEqual(Array.from({ length }, (_, count) => count));
    control.close();
    return bridge.ended;
  };
  return { claude, readAll };
}

test.each([
  ["that sessions share", false],
  ["of its own", true],
])(
  "a Claude whose session does not read waits, and its messages are held and not lost, on a bridge %s",
  async (_, isIsolated) => {
    const start = openLocalBridges(CHECKED_COMMAND, { claude: STAND_IN }, { isIsolated, pass });
    const bridge = await start();
    const { claude, readAll } = await flooded(bridge);
    let before = -1;
    for (;;) {
      const count = await claude.countFlood();
      if (count === before) break;
      before = count;
      await areStill(claude.pid, bridge.pid);
    }
    expect(before * LINE_CHARS).toBeLessThan(MAX_HELD_CHARS);
    const asked = await bridge.request({ type: "permission_mode", mode: "plan" });
    expect(asked).toMatchObject({ ok: true });
    expect(await readAll()).toMatchObject({ isConfirmed: true });
  },
  60_000,
);

test("a session that does not read holds up no session that shares its process when that asks something", async () => {
  const start = openLocalBridges(
    CHECKED_COMMAND,
    { claude: STAND_IN },
    { isIsolated: false, pass },
  );
  const [held, other] = [await start(), await start()];
  expect(other.pid).toBe(held.pid);
  await other.request({ type: "protocol_init", version: 2 });
  const { claude, readAll } = await flooded(held);
  await areStill(claude.pid);
  const asked = await other.request({ type: "permission_mode", mode: "plan" });
  expect(asked).toMatchObject({ ok: true });
  const [end] = await Promise.all([other.close(), Array.fromAsync(other.messages)]);
  expect(end).toMatchObject({ isConfirmed: true });
  expect(await readAll()).toMatchObject({ isConfirmed: true });
}, 60_000);

test.each([
  ["that sessions share", false],
  ["of its own", true],
])(
  "a place whose session does not read for longer than its idle time is not taken for lost, on a bridge %s",
  async (_, isIsolated) => {
    const place = { name: "box", command: HERE, idleExitSeconds: 3 };
    const bridge = await new PlaceBridges(place, { isIsolated, gate }).start();
    const { readAll } = await flooded(bridge);
    // Longer than the two thirds of the idle time after which a silent connection counts as lost.
    expect(await Promise.race([bridge.ended, Bun.sleep(6_000)])).toBeUndefined();
    expect(await readAll()).toEqual({ isConfirmed: true });
  },
  60_000,
);
