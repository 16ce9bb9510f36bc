/**
 * A page of the history of a very large transcript. The figures are the memory of the bridge while it reads,
 * and the host's wait for an answer meanwhile.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { type Received, startBridge, type TestBridge } from "../testing/drivers/bridge-process.ts";
import { openPastSessions, sessionId } from "../testing/drivers/past-sessions.ts";
import { residentMegabytes } from "../testing/drivers/silent-host.ts";
import { emitted, exactly, fastEnough, report, sized } from "./findings.ts";
import { writeTranscript } from "./long-transcript.ts";
import { MemoryWatch } from "./process-costs.ts";

const BYTES = sized(200, 20) * 2 ** 20;
const SESSION = sessionId(1);
/** The number of requested turns. */
const LIMIT = 20;

/** The most MB by which the bridge may grow meanwhile: less than the transcript has. */
const BOUND_MB = BYTES / 2 ** 20;
/** The longest delay of an answer, in ms, and so of an interrupt. */
const BOUND_MS = 500;

async function main(): Promise<void> {
  const past = openPastSessions();
  const written = writeTranscript(join(past.folder, `${SESSION}.jsonl`), BYTES);
  const page = Promise.withResolvers<Received>();
  const host = startBridge({
    onReceived: (message) => {
      if (message.type === "session_history_result") page.resolve(message);
    },
    env: { CLAUDE_CONFIG_DIR: past.configDir },
    args: [`--dir=${past.project}`],
  });
  try {
    const size = statSync(join(past.folder, `${SESSION}.jsonl`)).size;
    const title = `history: a transcript of ${size >> 20} MB, ${written.lines} lines, ${written.turns} turns`;
    await measure(host, page.promise, title);
  } finally {
    host.kill();
    past.remove();
  }
}

async function measure(host: TestBridge, page: Promise<Received>, title: string): Promise<void> {
  host.send({ type: "protocol_init", version: 2 });
  await host.next("session_init");
  const idle = residentMegabytes(host.pid);
  const memory = new MemoryWatch(host.pid, "reading");
  const startedAt = performance.now();
  host.send({ type: "session_history", session_id: SESSION, limit: LIMIT });
  let isOver = false;
  void page.then(() => {
    isOver = true;
  });
  let longest = 0;
  for (let ping = 0; !isOver; ping += 1) longest = Math.max(longest, await answerTime(host, ping));
  const { messages } = await page;
  const tookMs = performance.now() - startedAt;
  memory.stop();
  host.closeInput();
  const asked = (messages as { kind?: unknown }[]).filter(({ kind }) => kind === "history");
  report(title, [
    exactly("turns in the answer", asked.length, LIMIT),
    emitted("memory while it is read", `${memory.peakOf("reading").toFixed(2)} MB`),
    fastEnough("more than before", memory.peakOf("reading") - idle, BOUND_MB, "MB"),
    emitted("time until the answer", `${Math.round(tookMs)} ms`),
    fastEnough("longest wait for another answer meanwhile", longest, BOUND_MS, "ms"),
    exactly("exit code", await host.exited, 0),
  ]);
}

/** How long the host waits for a simple answer, in ms. */
async function answerTime(host: TestBridge, ping: number): Promise<number> {
  const id = `ping ${ping}`;
  const answer = host.next(({ in_reply_to }) => in_reply_to === id);
  const sentAt = performance.now();
  host.send({ type: "cancel_message", message_id: crypto.randomUUID(), id });
  await answer;
  return performance.now() - sentAt;
}

await main();
