/**
 * A host that does not read while Claude prints 200,000 deltas of 1 KB (60,000 in the short form). The
 * figures are the memory of the bridge meanwhile, and whether every message arrives afterwards.
 */

import { areStill, type SilentHost, startSilently } from "../testing/drivers/silent-host.ts";
import { observe } from "../testing/observer/observer.ts";
import { atMost, exactly, report, sized } from "./findings.ts";
import { MemoryWatch } from "./process-costs.ts";

const MESSAGES = sized(200, 60);
const DELTAS = 1000;
const BYTES = 1024;

/** How much memory the bridge may use, in MB. */
const BOUND_MB = 150;

async function main(): Promise<void> {
  const host = await startSilently({ TUGTALK_SIM_FLOOD: `${MESSAGES}x${DELTAS}x${BYTES}` });
  try {
    await measure(host);
  } finally {
    host.kill();
  }
}

async function measure(host: SilentHost): Promise<void> {
  host.send({ type: "protocol_init", version: 2 });
  const { pid } = await host.readUntil(({ type }) => type === "process_started");
  await host.readUntil(({ state }) => state === "idle");
  const memory = new MemoryWatch(host.pid, "silent");
  host.send({ type: "user_message", text: "go" });
  await host.readUntil(({ status }) => status === "partial");
  await areStill(host.pid, Number(pid));
  memory.enter("reading");
  const end = await host.readUntil(({ type }) => type === "turn_complete");
  memory.stop();
  host.closeInput();
  const exitCode = await host.readToEnd();
  const { received } = host;
  const deltas = received.filter(({ status }) => status === "partial");
  report(`slow host: ${MESSAGES * DELTAS} deltas of ${BYTES} bytes in one turn`, [
    atMost("memory while the host does not read", memory.peakOf("silent"), BOUND_MB, "MB"),
    atMost("memory while it reads all of it", memory.peakOf("reading"), BOUND_MB, "MB"),
    exactly("deltas that arrived", deltas.length, MESSAGES * DELTAS),
    exactly("bytes of text in them", lengthOf(deltas), MESSAGES * DELTAS * BYTES),
    exactly("the turn", end["result"], "success"),
    exactly("gaps and other faults", observe({ received, isOver: true }).length, 0),
    exactly("exit code", exitCode, 0),
  ]);
}

function lengthOf(messages: readonly Readonly<Record<string, unknown>>[]): number {
  return messages.reduce((sum, { text }) => sum + String(text).length, 0);
}

await main();
