/** The ways in which Claude fails, and what a bridge is to make of each. */
import { RESULT } from "../../../simulator/__tests__/support/written-conversation.ts";
import type { Order } from "../../../simulator/trouble.ts";
import { type Received, startBridge } from "./bridge-process.ts";
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
import {
  FAULT_STATES,
  type FaultState,
  hasText,
  hasTurn,
  type Line,
  openScene,
  type Scene,
} from "./fault-scenes.ts";
import { event, floodIn, floodText, isNewsWhole } from "./flood.ts";

type ClaudeFault = {
  readonly name: string;
  readonly orders: (state: FaultState) => readonly Order[];
  /**
   * `ends`: the process is over or is to be ended, at once. `stuck`: a turn that is open stays open
   * until the host interrupts it. `works`: Claude goes on as if nothing had been.
   */
  readonly aftermath: "ends" | "stuck" | "works";
  /** The host need not interrupt where the model owes an answer: its silence is noticed. */
  readonly isNoticed?: true;
};

/** The patience with a Claude that does not do its work. */
const IMPATIENT = { interrupt_timeout_ms: 300, shutdown_grace_ms: 300 };

/** A model that owes an answer may be silent for this long, in ms; a busy machine needs some of it. */
const SHORT_SILENCE_MS = 3_000;

const HALF_A_LINE = '{"type":"assistant","message":{"id":"m2","content":[{"type":"te';

const GARBAGE: readonly (string | Uint8Array)[] = [
  "npm warn deprecated",
  HALF_A_LINE,
  "[]",
  "null",
  "{}",
  '{"type":7}',
  '{"type":"assistant","message":"none"}',
  '{"type":"stream_event","event":{"type":"content_block_delta","index":"first"}}',
  '{"type":"control_request","request":{}}',
  Uint8Array.of(0xff, 0xfe, 0x00, 0xc3, 0x28),
];

const CLAUDE_FAULTS: readonly ClaudeFault[] = [
  { name: "exits 0", orders: () => [{ order: "exit", code: 0 }], aftermath: "ends" },
  { name: "exits 1", orders: () => [{ order: "exit", code: 1 }], aftermath: "ends" },
  {
    name: "dies by signal",
    orders: () => [{ order: "die", signal: "SIGKILL" }],
    aftermath: "ends",
  },
  {
    name: "hangs",
    orders: () => [{ order: "hang", isDeaf: false }],
    aftermath: "stuck",
    isNoticed: true,
  },
  { name: "ignores SIGTERM", orders: () => [{ order: "hang", isDeaf: true }], aftermath: "stuck" },
  { name: "closes stdout only", orders: () => [{ order: "close_stdout" }], aftermath: "ends" },
  { name: "stops reading stdin", orders: stopReading, aftermath: "stuck" },
  { name: "floods", orders: (state) => [floodIn(state)], aftermath: "works" },
  {
    name: "sends half a line and dies",
    orders: () => [written(HALF_A_LINE), { order: "exit", code: 1 }],
    aftermath: "ends",
  },
  {
    name: "sends garbage",
    orders: () => GARBAGE.flatMap((line) => [written(line), written("\n")]),
    aftermath: "works",
  },
];

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

function plainly(env: Readonly<Record<string, string>>): Line {
  return startBridge({ env });
}

function written(bytes: string | Uint8Array): Order {
  return { order: "write", base64: Buffer.from(bytes).toString("base64") };
}

const REST = "wer";

/** How many lines of a flood the host reads before it says something. */
const FLOOD_LINES = 2_000;

/** Claude hears no more, and finishes what needs no answer. */
function stopReading(state: FaultState): Order[] {
  const lines = finishes(state) ? (hasText(state) ? [...END_OF_TEXT, RESULT] : [RESULT]) : [];
  return [
    { order: "stop_reading" },
    ...(lines.length > 0 ? [{ order: "say", lines } as const] : []),
  ];
}

const END_OF_TEXT = [
  event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: REST } }),
  event({ type: "content_block_stop", index: 0 }),
  event({ type: "message_stop" }),
];

function finishes(state: FaultState): boolean {
  return state === "tool running" || hasText(state);
}

function strikeOf(fault: ClaudeFault): Strike {
  return async (scene, findings) => {
    const struck = performance.now();
    await scene.claude.obey(...fault.orders(scene.state));
    if (fault.aftermath === "ends") await ended(scene, findings, struck);
    else if (fault.aftermath === "works") await unharmed(fault, scene, findings);
    else if (fault.name === "stops reading stdin" && finishes(scene.state)) {
      await finished(scene, findings, struck);
    } else await stuck(fault, scene, findings);
    judgeText(scene, findings, moreText(fault, scene));
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

/** The turn ends without a result, and gives what was said until then; tells when it ended. */
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

/** The next message starts Claude again, with the same conversation; then the host has no more to say. */
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
  if (fault.isNoticed && isAnswerDue) await line.next(({ state: told }) => told === "stalled");
  else await isUnheard(scene, findings, scene.ask({ type: "interrupt" }));
  await stopped(scene, findings, struck);
  judge(scene, findings, [
    ...(state === "idle" ? ["completed"] : []),
    "failed",
    ...(state === "queue full" ? ["completed", "completed", "rejected"] : []),
    "completed",
  ]);
}

/** More than a pipe takes that nobody reads. */
const UNHEARD = "unheard ".repeat(40_000);

async function unheard(scene: Scene): Promise<void> {
  scene.say(UNHEARD);
  await scene.line.next("turn_started");
}

/** The turn that was struck ends well, and the next one gets stuck. */
async function finished(scene: Scene, findings: Findings, struck: number): Promise<void> {
  const isQueued = scene.state === "queue full";
  const end = await turnEnd(scene, findings, struck);
  findings.must(end["result"] === "success", `the turn ends as ${end.type} ${end["result"]}`);
  if (isQueued) await scene.line.next("turn_started");
  else await unheard(scene);
  const since = performance.now();
  await isUnheard(scene, findings, scene.ask({ type: "interrupt" }));
  await stopped(scene, findings, since);
  const queued = isQueued ? ["failed", "completed", "rejected"] : ["failed"];
  judge(scene, findings, ["completed", ...queued, "completed"]);
}

async function isUnheard({ line }: Scene, findings: Findings, interrupt: string): Promise<void> {
  const answer = await line.next(({ in_reply_to }) => in_reply_to === interrupt);
  findings.must(answer["ok"] === false, "an interrupt that nobody heard is called taken");
}

/** An interrupt, the host's or the one that follows a silence, has no effect: Claude is stopped. */
async function stopped(scene: Scene, findings: Findings, since: number): Promise<void> {
  const from = await cancelledTurn(scene, findings, since, "stalled");
  const exit = await scene.line.next("process_exit");
  findings.must(exit["expected"] === true, "the exit is called unexpected");
  await claudeIsGone(scene, findings, from);
  await revived(scene, findings, exit);
}

/** Claude goes on as if nothing had been. */
async function unharmed(fault: ClaudeFault, scene: Scene, findings: Findings): Promise<void> {
  const struck = performance.now();
  if (fault.name === "floods") await isFlooded(scene);
  await goesOnUnharmed(scene, findings, struck);
  const unknown = scene.line.received.filter(({ type }) => type === "unknown_event").length;
  const isTold = fault.name === "floods" ? isNewsWhole(scene) : unknown === GARBAGE.length;
  findings.must(isTold, "a line of Claude's is not told, or told twice");
}

async function isFlooded({ line }: Scene): Promise<void> {
  const start = line.received.length;
  await line.next(() => line.received.length > start + FLOOD_LINES);
}
