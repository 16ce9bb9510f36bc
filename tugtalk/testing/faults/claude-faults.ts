/** The faults of Claude, and how a bridge must handle each. */
import type { Received } from "../drivers/bridge-process.ts";
import { CLAUDE_FAULTS, type ClaudeFault, finishes, REST } from "./claude-fault-rows.ts";
import type { Cell } from "./fault-cells.ts";
import {
  claudeIsGone,
  ending,
  type Findings,
  goesOnUnharmed,
  goOn,
  judge,
  judgeText,
  runCell,
  type Strike,
  streamedText,
  turnEnd,
} from "./fault-run.ts";
import { FAULT_STATES, hasText, hasTurn, openScene, plainly, type Scene } from "./fault-scenes.ts";
import { floodText, judgeFlood } from "./flood.ts";

/** The time limits for a Claude that does not work. */
const IMPATIENT = { interrupt_timeout_ms: 300, shutdown_grace_ms: 300 };

/** How long a model that owes an answer may be silent, in ms; with room for a busy machine. */
const SHORT_SILENCE_MS = 3_000;

/** Every Claude fault in every state. */
export const CLAUDE_CELLS: readonly Cell[] = CLAUDE_FAULTS.flatMap((fault) =>
  FAULT_STATES.map((state) => ({
    fault: fault.name,
    state,
    run: () => runCell(openScene(state, plainly, optionsFor(fault)), strikeOf(fault)),
  })),
);

function optionsFor({ aftermath, isNoticed }: ClaudeFault): Readonly<Record<string, number>> {
  const silence = SHORT_SILENCE_MS;
  return {
    ...(aftermath !== "works" && IMPATIENT),
    ...(isNoticed && { first_token_timeout_ms: silence, stream_timeout_ms: silence }),
  };
}

/** How many lines of a flood the host reads before it sends anything. */
const FLOOD_LINES = 2_000;

function strikeOf(fault: ClaudeFault): Strike {
  return async (scene, findings) => {
    const struck = performance.now();
    await scene.claude.apply(...fault.orders(scene.state));
    if (fault.aftermath === "ends") await ended(scene, findings, struck);
    else if (fault.aftermath === "works") await unharmed(fault, scene, findings);
    else if (fault.name === "stops reading stdin" && finishes(scene.state)) {
      await finished(scene, findings, struck);
    } else await stuck(fault, scene, findings);
    judgeText(scene, findings, moreText(fault, scene));
    await judgeStrike(fault, scene, findings);
  };
}

function moreText({ name }: ClaudeFault, scene: Scene): string {
  if (name === "stops reading stdin") return REST;
  return name === "floods" ? floodText(scene) : "";
}

async function ended(scene: Scene, findings: Findings, struck: number): Promise<void> {
  const { line, state } = scene;
  if (state === "before the handshake") {
    await didNotStart(scene, findings, struck);
    return;
  }
  const from = hasTurn(state) ? await cancelledTurn(scene, findings, struck, "exited") : struck;
  const exit = await line.next("process_exit");
  findings.must(exit["expected"] === false, "the exit is called expected");
  await claudeIsGone(scene, findings, from);
  await revived(scene, findings, exit);
  judge(scene, findings, [
    state === "idle" ? "completed" : "failed",
    ...(state === "queue full" ? ["completed", "completed", "rejected"] : []),
    "completed",
  ]);
}

async function didNotStart(scene: Scene, findings: Findings, struck: number): Promise<void> {
  const error = await scene.line.next("error");
  findings.must(error["code"] === "claude_start_failed", `the error is ${error["code"]}`);
  const code = await scene.line.exited;
  await claudeIsGone(scene, findings, struck);
  findings.must(code === 1, `tugtalk exits with ${code}`);
  judge(scene, findings, ["cancelled"]);
}

/** The turn ends without a result, with its partial text; returns when it ended. */
async function cancelledTurn(
  scene: Scene,
  findings: Findings,
  since: number,
  reason: string,
): Promise<number> {
  const end = await turnEnd(scene, findings, since);
  const ended = performance.now();
  findings.must(end["reason"] === reason, `the turn ends as ${end.type} ${end["reason"]}`);
  const { partial_result: partial, message_ids: ids } = end;
  const said = streamedText(scene, Array.isArray(ids) ? ids[0] : undefined);
  findings.must(partial === said, `the partial result is "${partial}" instead of "${said}"`);
  return ended;
}

/** The next message starts Claude again, with the same conversation; then the host closes stdin. */
async function revived(scene: Scene, findings: Findings, exit: Received): Promise<void> {
  const { line } = scene;
  findings.must(exit["will_restart"] === true, "no restart is announced");
  await goOn(scene);
  const [, second, ...others] = line.received.filter(({ type }) => type === "process_started");
  const session = line.received.find(({ type }) => type === "session_init")?.["session_id"];
  const args = second?.["args"];
  const isResumed = Array.isArray(args) && args.includes(`--resume=${session}`);
  findings.must(isResumed, `Claude is started again with ${args}`);
  findings.must(others.length === 0, "Claude is started more than twice");
  await ending(scene, findings);
}

async function stuck(fault: ClaudeFault, scene: Scene, findings: Findings): Promise<void> {
  const struck = performance.now();
  const { line, state } = scene;
  if (state === "before the handshake") {
    line.closeInput();
    await line.exited;
    await claudeIsGone(scene, findings, struck);
    await ending(scene, findings);
    judge(scene, findings, ["cancelled"]);
    return;
  }
  if (state === "idle") await unheard(scene);
  const isAnswerDue = state === "idle" || hasText(state);
  if (fault.isNoticed && isAnswerDue)
    await line.next(({ state: emitted }) => emitted === "stalled");
  else await isBackpressured(scene, findings, scene.ask({ type: "interrupt" }));
  await stopped(scene, findings, struck);
  judge(scene, findings, [
    ...(state === "idle" ? ["completed"] : []),
    "failed",
    ...(state === "queue full" ? ["completed", "completed", "rejected"] : []),
    "completed",
  ]);
}

/** More than fits into an unread pipe. */
const UNHEARD = "unheard ".repeat(40_000);

async function unheard(scene: Scene): Promise<void> {
  scene.say(UNHEARD);
  await scene.line.next("turn_started");
}

/** The faulty turn succeeds, and the next one gets stuck. */
async function finished(scene: Scene, findings: Findings, struck: number): Promise<void> {
  const isQueued = scene.state === "queue full";
  const end = await turnEnd(scene, findings, struck);
  findings.must(end["result"] === "success", `the turn ends as ${end.type} ${end["result"]}`);
  if (isQueued) await scene.line.next("turn_started");
  else await unheard(scene);
  const since = performance.now();
  await isBackpressured(scene, findings, scene.ask({ type: "interrupt" }));
  await stopped(scene, findings, since);
  const queued = isQueued ? ["failed", "completed", "rejected"] : ["failed"];
  judge(scene, findings, ["completed", ...queued, "completed"]);
}

async function isBackpressured(
  { line }: Scene,
  findings: Findings,
  interrupt: string,
): Promise<void> {
  const answer = await line.next(({ in_reply_to }) => in_reply_to === interrupt);
  findings.must(answer["ok"] === false, "an interrupt that nobody heard is called taken");
}

/** An interrupt, from the host or after a stall, has no effect: Claude is stopped. */
async function stopped(scene: Scene, findings: Findings, since: number): Promise<void> {
  const from = await cancelledTurn(scene, findings, since, "stalled");
  const exit = await scene.line.next("process_exit");
  findings.must(exit["expected"] === true, "the exit is called unexpected");
  await claudeIsGone(scene, findings, from);
  await revived(scene, findings, exit);
}

/** The fault has no effect. */
async function unharmed(fault: ClaudeFault, scene: Scene, findings: Findings): Promise<void> {
  const struck = performance.now();
  if (fault.name === "floods") await isFlooded(scene);
  await goesOnUnharmed(scene, findings, struck);
  if (fault.name === "floods") judgeFlood(scene, findings, FLOOD_LINES);
}

/** Claude behaved as its fault says. */
async function judgeStrike(fault: ClaudeFault, scene: Scene, findings: Findings): Promise<void> {
  const { line, claude, state } = scene;
  const { code, signal } = fault.death(state);
  const exit = line.received.find(({ pid, type }) => type === "process_exit" && pid === claude.pid);
  findings.must(
    exit?.["exit_code"] === code && exit["signal"] === signal,
    `Claude ends with ${exit?.["exit_code"]} and ${exit?.["signal"]} instead of ${code} and ${signal}`,
  );
  const hasHeardEnd = await claude.hasHeardEnd;
  findings.must(
    hasHeardEnd === fault.hearsEnd,
    `Claude has ${hasHeardEnd ? "" : "not "}seen the end of its input`,
  );
  if (fault.noise === undefined) return;
  const emitted = line.received
    .filter(({ type }) => type === "unknown_event")
    .map(({ original_type, raw }) => ({ type: original_type, raw }));
  const wanted = fault.noise.map(({ type, raw }) => ({ type, raw }));
  findings.must(Bun.deepEquals(emitted, wanted), `of its noise is told ${JSON.stringify(emitted)}`);
}

async function isFlooded({ line }: Scene): Promise<void> {
  const start = line.received.length;
  await line.next(() => line.received.length > start + FLOOD_LINES);
}
