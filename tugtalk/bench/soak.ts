/** A thousand turns (50 in the short form) of a thousand deltas in one bridge: whether its memory grows. */
import { readdirSync } from "node:fs";
import { startBridge, type TestBridge } from "../testing/drivers/bridge-process.ts";
import { residentMegabytes } from "../testing/drivers/silent-host.ts";
import { emitted, exactly, type Finding, fastEnough, median, report, sized } from "./findings.ts";

const TURNS = sized(1000, 50);
const DELTAS = 1000;
const BYTES = 16;
const TITLE = `soak: ${TURNS} turns, ${TURNS * DELTAS} deltas in one bridge process`;

/** The largest relative change of memory from the sixth tenth of the turns to the last tenth. */
const DRIFT = 0.1;

/** How long the bridge may take to end by itself, in ms. */
const END_MS = 2000;

async function main(): Promise<void> {
  const arrived = { deltas: 0 };
  const bridge = startBridge({
    env: { TUGTALK_SIM_FLOOD: `${DELTAS}x${BYTES}` },
    onReceived: ({ status }) => {
      if (status === "partial") arrived.deltas += 1;
    },
  });
  try {
    report(TITLE, await soaked(bridge, arrived));
  } finally {
    bridge.kill();
  }
}

async function soaked(
  bridge: TestBridge,
  arrived: { readonly deltas: number },
): Promise<Finding[]> {
  bridge.send({ type: "protocol_init", version: 2 });
  await bridge.next("session_init");
  const memory: number[] = [];
  let early = handlesOf(bridge.pid);
  for (let turn = 1; turn <= TURNS; turn += 1) {
    bridge.send({ type: "user_message", text: `turn ${turn}` });
    await bridge.next("turn_complete");
    bridge.forget();
    memory.push(residentMegabytes(bridge.pid));
    if (turn === TURNS / 10) early = handlesOf(bridge.pid);
  }
  const late = handlesOf(bridge.pid);
  const endingAt = performance.now();
  bridge.closeInput();
  const exitCode = await bridge.exited;
  const endedInMs = performance.now() - endingAt;
  const [middle, last] = [tenthOf(memory, 6), tenthOf(memory, 10)];
  return [
    emitted("median memory of the sixth tenth of the turns", `${middle.toFixed(2)} MB`),
    emitted("median memory of the last tenth", `${last.toFixed(2)} MB`),
    fastEnough("the difference", Math.abs(last / middle - 1) * 100, DRIFT * 100, "%"),
    exactly(`open files after turn ${TURNS}, as after ${TURNS / 10}`, late.files, early.files),
    emitted("threads", late.threads),
    exactly("deltas that arrived", arrived.deltas, TURNS * DELTAS),
    exactly("exit code when stdin ends", exitCode, 0),
    fastEnough("the end, with Claude's", Math.round(endedInMs), END_MS, "ms"),
  ];
}

function tenthOf(memory: readonly number[], number: number): number {
  return median(memory.slice(((number - 1) * TURNS) / 10, (number * TURNS) / 10));
}

function handlesOf(pid: number): { readonly files: number; readonly threads: number } {
  return {
    files: readdirSync(`/proc/${pid}/fd`).length,
    threads: readdirSync(`/proc/${pid}/task`).length,
  };
}

await main();
