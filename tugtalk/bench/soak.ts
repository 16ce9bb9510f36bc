/** A thousand turns (50 in the short form) of a thousand deltas in one bridge: whether its memory grows. */
import { readdirSync } from "node:fs";
import { residentMegabytes } from "../testing/drivers/silent-host.ts";
import { sized } from "./bench-size.ts";
import { type CountingHost, startCounting } from "./counting-host.ts";
import { emitted, exactly, type Finding, fastEnough, median, report } from "./findings.ts";

const TURNS = sized(1000, 50);
const DELTAS = 1000;
const BYTES = 16;
const TITLE = `soak: ${TURNS} turns, ${TURNS * DELTAS} deltas in one bridge process`;

/** By how much the memory of the last tenth of the turns may differ from that of the sixth tenth. */
const DRIFT = 0.1;

/** How long the bridge may take to end by itself, in ms. */
const END_MS = 2000;

async function main(): Promise<void> {
  const host = startCounting({ TUGTALK_SIM_FLOOD: `${DELTAS}x${BYTES}` });
  try {
    report(TITLE, await soaked(host));
  } finally {
    host.kill();
  }
}

async function soaked(host: CountingHost): Promise<Finding[]> {
  host.send({ type: "protocol_init", version: 2 });
  await host.next("session_init");
  const memory: number[] = [];
  let early = handlesOf(host.pid);
  for (let turn = 1; turn <= TURNS; turn += 1) {
    host.send({ type: "user_message", text: `turn ${turn}` });
    await host.next("turn_complete");
    memory.push(residentMegabytes(host.pid));
    if (turn === TURNS / 10) early = handlesOf(host.pid);
  }
  const late = handlesOf(host.pid);
  const endingAt = performance.now();
  host.closeInput();
  const exitCode = await host.exited;
  const endedInMs = performance.now() - endingAt;
  const [middle, last] = [tenthOf(memory, 6), tenthOf(memory, 10)];
  return [
    emitted("median memory of the sixth tenth of the turns", `${middle.toFixed(2)} MB`),
    emitted("median memory of the last tenth", `${last.toFixed(2)} MB`),
    fastEnough("the difference", Math.abs(last / middle - 1) * 100, DRIFT * 100, "%"),
    exactly(`open files after turn ${TURNS}, as after ${TURNS / 10}`, late.files, early.files),
    emitted("threads", late.threads),
    exactly("deltas that arrived", host.heard.deltas, TURNS * DELTAS),
    exactly("gaps", host.heard.gaps, 0),
    exactly("texts that differ from their deltas", host.heard.falseBlocks, 0),
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
