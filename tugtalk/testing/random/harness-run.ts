/** One run of a bridge in its harness: the setup, the steps, and the end. */
import * as fc from "fast-check";
import type { Fields } from "../observer/observed.ts";
import { BridgeHarness, type HarnessOptions } from "./bridge-harness.ts";
import { answerTo, LEVEL } from "./random-host.ts";
import { execute, type Step } from "./random-steps.ts";

const HOOKS = ["PreToolUse", "UserPromptSubmit", "Stop"].map((event) => ({
  hook_id: event,
  event,
}));
const SECOND_HOOK = { hook_id: "second", event: "PreToolUse", on_timeout: "continue" };

/** Tools and hooks of the host, all, some or none, with short limits or without. */
const PROGRAMS: readonly Fields[] = [
  {},
  { host_tools: [LEVEL] },
  { host_tools: [LEVEL], host_hooks: [...HOOKS, SECOND_HOOK] },
  { host_hooks: HOOKS.slice(0, 1) },
  {
    host_tools: [{ ...LEVEL, timeout_ms: 1_000 }],
    host_hooks: [...HOOKS.map((hook) => ({ ...hook, timeout_ms: 1_000 })), SECOND_HOOK],
  },
];

/** The choices before the first step. */
export type RunSetup = HarnessOptions & {
  readonly session: Fields | undefined;
  readonly options: Fields;
};

export const runSetup: fc.Arbitrary<RunSetup> = fc.record({
  version: fc.constantFrom("2.1.330", "2.1.197", "2.1.38"),
  exitsOn: fc.constantFrom("eof", "term", "kill"),
  onEof: fc.constantFrom("interrupt", "drain"),
  maxLineBytes: fc.constantFrom(1 << 20, 2_500),
  session: fc.constantFrom<(Fields | undefined)[]>(
    undefined,
    { mode: "new" },
    { mode: "continue" },
    { mode: "fork" },
    { mode: "resume" },
    { mode: "resume", session_id: "00000000-0000-4000-8000-00000000bbbb" },
  ),
  options: fc
    .tuple(
      fc.constantFrom<Fields[]>(
        {},
        { tool_input_deltas: true, dialogs: ["d"], transcript_mirror: true },
        { prompt_timeout_ms: 5_000, max_queued: 2, first_token_timeout_ms: 0 },
      ),
      fc.constantFrom(...PROGRAMS),
    )
    .map(([options, program]) => ({ ...options, ...program })),
});

/** A Claude that exits at the end of its stdin, and a host without time limits. */
export const goodSetup: fc.Arbitrary<RunSetup> = runSetup.map((chosen) => ({
  ...chosen,
  exitsOn: "eof",
  maxLineBytes: 1 << 20,
  options: programOf(chosen.options),
}));

/** The tools and hooks, without time limits. */
function programOf({ host_tools, host_hooks }: Fields): Fields {
  const untimed = (list: unknown) =>
    Array.isArray(list) ? list.map(({ timeout_ms: _limit, ...one }: Fields) => one) : undefined;
  const [tools, hooks] = [untimed(host_tools), untimed(host_hooks)];
  return { ...(tools && { host_tools: tools }), ...(hooks && { host_hooks: hooks }) };
}

/** Opens a harness and sends `protocol_init`. */
export async function open({ session, options, ...harness }: RunSetup): Promise<BridgeHarness> {
  const opened = new BridgeHarness(harness);
  const choice = session === undefined ? {} : { session };
  opened.host.send({ type: "protocol_init", version: 2, id: "init", options, ...choice });
  await opened.settle();
  return opened;
}

/** Executes the steps until the bridge has ended. */
export async function walk(harness: BridgeHarness, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (harness.hasEnded) return;
    await execute(harness, step);
  }
}

/** The host still gets an answer at once. */
export async function checkAnswers(harness: BridgeHarness): Promise<void> {
  harness.host.resumeReading();
  await harness.settle();
  if (!harness.isServing) return;
  const id = harness.newId();
  harness.host.send({ type: "no such type", id });
  await harness.settle();
  if (!harness.host.received.some(({ in_reply_to }) => in_reply_to === id))
    harness.faults.push("the bridge does not answer any more");
}

/** How many clock ticks a bridge may take to end, and after how many of them a signal is sent. */
const MAX_TICKS = 60;
const TICKS_BEFORE_SIGNAL = 20;

/** How many moves a Claude has to start and to finish a few turns. */
const MAX_MOVES = 400;

/** Claude crashes; the next message still gets its turn. */
export async function checkRecovery(harness: BridgeHarness): Promise<void> {
  if (!harness.isServing) return;
  harness.failingStarts = 0;
  if (harness.process !== undefined) harness.exit(harness.process, { exitCode: 1 });
  await harness.settle();
  // Time for the old process to end and for a restart to be allowed.
  for (let tick = 0; tick < TICKS_BEFORE_SIGNAL; tick += 1) await tickOf(harness, 5_000);
  const message_id = harness.newId();
  harness.host.send({ type: "user_message", text: "again", message_id });
  await harness.settle();
  await finish(harness, (status) => status["message_id"] === message_id);
  const about = harness.host.received.filter((message) => message["message_id"] === message_id);
  const last = about.findLast(({ type }) => type === "message_status")?.["status"];
  const isRefused = about.some(({ code }) => FAIR_REFUSALS.has(String(code))) || harness.isFatal;
  if (last !== "completed" && !isRefused)
    harness.faults.push(`after a crash the next message is left ${last}`);
}

/** No conversation is chosen, or the queue waits for the new Claude. */
const FAIR_REFUSALS = new Set(["resume_failed", "queue_full"]);

/** The host answers, and Claude follows its model, until a message has its final receipt. */
async function finish(harness: BridgeHarness, isOf: (status: Fields) => boolean): Promise<void> {
  for (let move = 0; move < MAX_MOVES && !harness.hasEnded; move += 1) {
    const { process, host } = harness;
    if (process === undefined) return;
    for (const asked of host.openPrompts) host.send({ id: harness.newId(), ...answerTo(asked, 0) });
    await harness.settle();
    for (const line of process.model.work(0)) await harness.printLine(process, line);
    await harness.settle();
    const isDone = harness.host.received.some(
      (message) => message["status"] === "completed" && isOf(message),
    );
    if (isDone) return;
  }
}

/** The host closes stdin; the bridge ends, even if its Claude does not exit. */
export async function end(harness: BridgeHarness): Promise<void> {
  harness.host.resumeReading();
  harness.isClosing = true;
  harness.host.closeInput();
  await harness.settle();
  for (let tick = 0; tick < MAX_TICKS && !harness.hasEnded; tick += 1) {
    // Draining has no time limit; a signal ends it.
    if (tick === TICKS_BEFORE_SIGNAL) harness.signal();
    await tickOf(harness, 2_000);
  }
  if (!harness.hasEnded) harness.faults.push("the bridge never ends");
}

async function tickOf(harness: BridgeHarness, ms: number): Promise<void> {
  harness.clock.advance(ms);
  await harness.settle();
}
