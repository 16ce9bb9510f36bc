/** One cell of the matrix from its state to its end, for faults of Claude and of the host. */
import type { Received } from "../drivers/bridge-process.ts";
import { HALF } from "../drivers/bridge-states.ts";
import { leftAfter } from "../drivers/processes.ts";
import { observe } from "../observer/observer.ts";
import { isTurnEnd } from "../observer/observer-turns.ts";
import { type CellResult, MAX_PROCESS_MS } from "./fault-cells.ts";
import { hasText, hasTurn, inTime, isReceipt, type Scene } from "./fault-scenes.ts";

/** The measurements and findings of a running cell. */
export type Findings = {
  turnMs?: number;
  processMs?: number;
  readonly broken: string[];
  /** Adds a finding if the condition is false. */
  readonly must: (holds: boolean, words: string) => void;
};

/** Injects the fault and runs the bridge to its end. */
export type Strike = (scene: Scene, findings: Findings) => Promise<void>;

/** Runs one cell and cleans up in any case. */
export async function runCell(opening: Promise<Scene>, strike: Strike): Promise<CellResult> {
  const broken: string[] = [];
  const findings: Findings = {
    broken,
    must: (holds, words) => {
      if (!holds) broken.push(words);
    },
  };
  const scene = await opening;
  try {
    await inTime(strike(scene, findings), scene.line);
  } finally {
    await scene.close();
  }
  return findings;
}

/** Waits for the end of the open turn and stores the time; of two turns the longer one. */
export async function turnEnd(scene: Scene, findings: Findings, since: number): Promise<Received> {
  const end = await scene.line.next(isTurnEnd);
  findings.turnMs = Math.max(findings.turnMs ?? 0, performance.now() - since);
  return end;
}

/** Waits until all processes of the faulty Claude have exited and stores the time. */
export async function claudeIsGone(scene: Scene, findings: Findings, since: number): Promise<void> {
  const left = await leftAfter(scene.struck(), MAX_PROCESS_MS);
  findings.processMs = performance.now() - since;
  findings.must(left.length === 0, `processes are left: ${left.join(", ")}`);
}

/** The session goes on: queued messages are answered, and so is a new one. */
export async function goOn(scene: Scene): Promise<void> {
  const queued = scene.said.find(({ text }) => text === "third");
  if (queued !== undefined) await scene.line.next(isReceipt(queued.id, "completed"));
  const again = scene.say("again");
  await scene.line.next(isReceipt(again, "completed"));
}

/**
 * The fault had no effect: an interrupt ends the turn, and the same process answers further messages.
 * `interrupt` is the `id` of an interrupt that has been sent.
 */
export async function goesOnUnharmed(
  scene: Scene,
  findings: Findings,
  since: number,
  interrupt?: string,
): Promise<void> {
  const { line, state, said, claude } = scene;
  if (state === "before the handshake") {
    await claude.apply({ order: "stop_flood" }, { order: "listen" });
    await line.next(isReceipt(said[0]?.id ?? "", "completed"));
  } else {
    await isObeyed(scene, findings, interrupt ?? scene.ask({ type: "interrupt" }));
    if (hasTurn(state)) await interruptedTurn(scene, findings, since);
  }
  await claude.apply({ order: "stop_flood" });
  await goOn(scene);
  const closed = performance.now();
  await ending(scene, findings);
  await claudeIsGone(scene, findings, closed);
  const starts = line.received.filter(({ type }) => type === "process_started").length;
  findings.must(starts === 1, `Claude is started ${starts} times`);
  const queued = state === "queue full" ? ["completed", "completed", "rejected"] : [];
  judge(scene, findings, ["completed", ...queued, "completed"]);
}

async function isObeyed({ line }: Scene, findings: Findings, interrupt: string): Promise<void> {
  const answer = await line.next(({ in_reply_to }) => in_reply_to === interrupt);
  findings.must(answer["ok"] === true, "the interrupt is not taken");
}

/** The turn ends as interrupted. */
export async function interruptedTurn(
  scene: Scene,
  findings: Findings,
  since: number,
): Promise<void> {
  const end = await turnEnd(scene, findings, since);
  findings.must(end["result"] === "cancelled", `the turn ends as ${end.type} ${end["result"]}`);
}

/** The host closes stdin: the bridge ends with code 0, and no process is left. */
export async function ending({ line, processes }: Scene, findings: Findings): Promise<void> {
  line.closeInput();
  const code = await line.exited;
  findings.must(code === 0, `tugtalk exits with ${code}`);
  const left = await leftAfter(processes(), 0);
  findings.must(left.length === 0, `processes outlive tugtalk: ${left.join(", ")}`);
}

/**
 * Checks a bridge that has ended against every guarantee. `statuses` are the final statuses of the
 * user messages, in order.
 */
export function judge(scene: Scene, findings: Findings, statuses: readonly string[]): void {
  const { line, said, sentIds, state } = scene;
  const { received } = line;
  const messageIds = said.map(({ id }) => id);
  findings.broken.push(...observe({ received, sentIds, messageIds, isOver: true }));
  for (const id of sentIds) {
    const answers = received.filter(({ in_reply_to }) => in_reply_to === id).length;
    findings.must(answers === 1, `"${id}" is answered ${answers} times`);
  }
  const found = messageIds.map((id) => finalStatus(received, id));
  findings.must(
    Bun.deepEquals(found, statuses),
    `the messages are ${found.join(", ")} instead of ${statuses.join(", ")}`,
  );
  for (const [at, { text }] of said.entries()) {
    const isEchoed = found[at] === "completed" && (text !== "first" || state === "idle");
    const times = received.filter(isWhole(`You said: ${text}`)).length;
    findings.must(times === (isEchoed ? 1 : 0), `"${text}" is answered ${times} times`);
  }
}

function isWhole(text: string) {
  return (message: Received) =>
    message.type === "assistant_text" &&
    message["status"] === "complete" &&
    message["text"] === text;
}

function finalStatus(received: readonly Received[], messageId: string): unknown {
  return received.findLast(
    ({ type, message_id }) => type === "message_status" && message_id === messageId,
  )?.["status"];
}

/** The text streamed in answer to a message that gets no echo. */
export function streamedText({ line }: Scene, messageId: unknown): string {
  return line.received
    .filter(({ msg_id, status }) => msg_id === messageId && status === "partial")
    .map(({ text }) => text)
    .join("");
}

/** No text of the faulty turn is lost or repeated; `more` arrived after the state was reached. */
export function judgeText(scene: Scene, findings: Findings, more = ""): void {
  const wanted = hasText(scene.state) ? HALF + more : "";
  const streamed = streamedText(scene, scene.said[0]?.id);
  findings.must(streamed === wanted, `streamed "${streamed}" instead of "${wanted}"`);
}
