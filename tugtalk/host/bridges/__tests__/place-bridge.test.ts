/** A place without a network: its command runs the bridge itself, or what is no bridge. */
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OutboundMessage } from "../../../src/types.ts";
import { CHECKED_COMMAND } from "../../../testing/drivers/bridge-process.ts";
import { STAND_IN } from "../../../testing/drivers/claudes.ts";
import type { Bridge } from "../bridge.ts";
import { startPlaceBridge } from "../place-bridge.ts";

/** A prefix in whose place the words after it are run: `tugtalk` is the bridge of the test. */
const HERE = [
  "sh",
  "-c",
  `shift; exec ${CHECKED_COMMAND.join(" ")} --claude=${STAND_IN} "$@"`,
  "sh",
];

/** The same, and what the bridge hears is in a file. */
function heardIn(file: string): readonly string[] {
  return HERE.map((word) => word.replace("exec ", `tee ${file} | `));
}

function placeOf(command: readonly string[], idleExitSeconds = 60) {
  return { name: "box", command, idleExitSeconds };
}

const opened: Bridge[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((bridge) => bridge.close()));
});

/** Everything that the session sees, up to the end. */
async function open(command: readonly string[], idleExitSeconds?: number) {
  const bridge = await startPlaceBridge(placeOf(command, idleExitSeconds));
  opened.push(bridge);
  const seen: OutboundMessage[] = [];
  const started = Promise.withResolvers<void>();
  const read = async () => {
    for await (const message of bridge.messages) {
      seen.push(message);
      if (message.type === "process_started") started.resolve();
    }
  };
  void read();
  return { bridge, seen, started: started.promise };
}

const INIT = { type: "protocol_init", version: 2 } as const;

test("a bridge is kept up beyond its idle time, and its session sees nothing of how", async () => {
  const log = join(mkdtempSync(join(tmpdir(), "place-")), "heard.jsonl");
  const { bridge, seen } = await open(heardIn(log), 1);
  await bridge.request(INIT);
  // More than two seconds.
  while (readFileSync(log, "utf8").split("cancel_message").length < 8) await Bun.sleep(5);
  expect((await bridge.request({ type: "permission_mode", mode: "plan" })).ok).toBe(true);
  expect(seen[0]).toMatchObject({ type: "protocol_ack" });
  const strange = seen.filter(
    ({ type, ...rest }) =>
      type === "error" || ("subtype" in rest && rest.subtype === "cancel_message"),
  );
  expect(strange).toEqual([]);
  expect(await bridge.close()).toEqual({ isConfirmed: true });
});

test("an end before anything was started is confirmed, whatever the exit code", async () => {
  const { bridge } = await open(HERE);
  process.kill(bridge.pid, "SIGKILL");
  expect(await bridge.ended).toEqual({ isConfirmed: true });
});

test("an end that the bridge has not told is not confirmed", async () => {
  const { bridge, started } = await open(HERE);
  await bridge.request(INIT);
  await started;
  process.kill(bridge.pid, "SIGKILL");
  expect(await bridge.ended).toEqual({
    isConfirmed: false,
    reason: "the connection with box was lost: by SIGKILL",
  });
});

test("how long a Claude may go on follows from the idle time and from its own time to end", async () => {
  const { bridge } = await open(HERE, 60);
  expect(bridge.lingerMs(INIT)).toBe(60_000 + 5_000 + 4_000 + 2_000);
  const options = { shutdown_grace_ms: 30_000 };
  expect(bridge.lingerMs({ ...INIT, options })).toBe(60_000 + 5_000 + 60_000 + 2_000);
});

describe("a place is refused", () => {
  const rows: readonly (readonly [why: string, command: readonly string[], reason: string])[] = [
    ["does not exist", ["/nowhere/ssh"], "cannot start /nowhere/ssh: "],
    ["says why and ends", ["sh", "-c", "echo no route to it >&2; exit 255"], "no route to it"],
    [
      "starts a bridge that is too old",
      ["sh", "-c", "printf 'Unknown option\\n\\nusage: long\\n' >&2; exit 2"],
      "Unknown option; usage: long",
    ],
    ["ends without a word", ["false"], "the connection was closed"],
    [
      "prints a greeting",
      ["sh", "-c", "echo Welcome; cat"],
      "not a message of tugtalk: not JSON: Welcome",
    ],
  ];
  test.each(rows)("whose command %s", async (_why, command, reason) => {
    const refusal = await startPlaceBridge(placeOf(command)).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 503, code: "place_unreachable" });
    expect(String(refusal)).toContain("cannot reach box: ");
    expect(String(refusal)).toContain(reason);
  });

  test("whose command never answers, when the start is given up", async () => {
    const giveUp = new AbortController();
    const refusal = startPlaceBridge(placeOf(["sh", "-c", "exec sleep 100"]), giveUp.signal).catch(
      String,
    );
    giveUp.abort();
    expect(await refusal).toContain("cannot reach box: it does not answer");
  });
});
