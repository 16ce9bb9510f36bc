/** One life of a bridge in its world: what is chosen at the start, the steps, and the ways to its end. */
import * as fc from "fast-check";
import type { Fields } from "../observer/observed.ts";
import { type Step, take } from "../random/random-steps.ts";
import { World, type WorldOptions } from "./world.ts";

/** What is chosen before the first step. */
export type Beginning = WorldOptions & {
  readonly session: Fields | undefined;
  readonly options: Fields;
};

export const beginning: fc.Arbitrary<Beginning> = fc.record({
  version: fc.constantFrom("2.1.330", "2.1.197", "2.1.38"),
  obedience: fc.constantFrom("eof", "term", "kill"),
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
  options: fc.constantFrom<Fields[]>(
    {},
    { tool_input_deltas: true, dialogs: ["d"] },
    { prompt_timeout_ms: 5_000, max_queued: 2, first_token_timeout_ms: 0 },
  ),
});

/** A Claude that obeys and a host that is patient. */
export const goodBeginning: fc.Arbitrary<Beginning> = beginning.map((chosen) => ({
  ...chosen,
  obedience: "eof",
  maxLineBytes: 1 << 20,
  options: {},
}));

/** Opens a world, and its wire. */
export async function open({ session, options, ...world }: Beginning): Promise<World> {
  const opened = new World(world);
  const choice = session === undefined ? {} : { session };
  opened.host.send({ type: "protocol_init", version: 2, id: "init", options, ...choice });
  await opened.settle();
  return opened;
}

/** Takes the steps, for as long as there is somebody to take them. */
export async function walk(world: World, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (world.hasEnded) return;
    await take(world, step);
  }
}

/** The host still gets an answer, at once. */
export async function checkAnswers(world: World): Promise<void> {
  world.host.resumeReading();
  await world.settle();
  if (!world.isServing) return;
  const id = world.newId();
  world.host.send({ type: "no such type", id });
  await world.settle();
  if (!world.host.received.some(({ in_reply_to }) => in_reply_to === id))
    world.faults.push("the bridge does not answer any more");
}

/** How often the clock goes on until a bridge must have ended, and until what is under way is through. */
const ENOUGH_TICKS = 60;
const PATIENCE = 20;

/** How many moves a Claude gets to start and to go through a few turns. */
const ENOUGH_MOVES = 400;

/** Claude crashes; the next message gets its turn all the same, whatever was before. */
export async function checkRecovery(world: World): Promise<void> {
  if (!world.isServing) return;
  world.refusals = 0;
  if (world.process !== undefined) world.exit(world.process, { exitCode: 1 });
  await world.settle();
  // Time for what is left of the old process, and for a start to be allowed again.
  for (let tick = 0; tick < PATIENCE; tick += 1) await tickOf(world, 5_000);
  const message_id = world.newId();
  world.host.send({ type: "user_message", text: "again", message_id });
  await world.settle();
  await finish(world, (status) => status["message_id"] === message_id);
  const about = world.host.received.filter((message) => message["message_id"] === message_id);
  const last = about.findLast(({ type }) => type === "message_status")?.["status"];
  const isRefused = about.some(({ code }) => FAIR_REFUSALS.has(String(code))) || world.isFatal;
  if (last !== "completed" && !isRefused)
    world.faults.push(`after a crash the next message is left ${last}`);
}

/** No conversation was chosen since the last one was left, or the queue waits for the new Claude. */
const FAIR_REFUSALS = new Set(["resume_failed", "queue_full"]);

/** A Claude that behaves goes on until a message has its final receipt. */
export async function finish(world: World, isOf: (status: Fields) => boolean): Promise<void> {
  for (let move = 0; move < ENOUGH_MOVES && !world.hasEnded; move += 1) {
    const { process } = world;
    if (process === undefined) return;
    for (const line of process.model.work(0)) await world.say(process, line);
    await world.settle();
    const isDone = world.host.received.some(
      (message) => message["status"] === "completed" && isOf(message),
    );
    if (isDone) return;
  }
}

/** The host leaves; the bridge ends, also if its Claude does not want to. */
export async function end(world: World): Promise<void> {
  world.host.resumeReading();
  world.isClosing = true;
  world.host.closeInput();
  await world.settle();
  for (let tick = 0; tick < ENOUGH_TICKS && !world.hasEnded; tick += 1) {
    // What is drained is waited for without an end: a signal puts one to it.
    if (tick === PATIENCE) world.signal();
    await tickOf(world, 2_000);
  }
  if (!world.hasEnded) world.faults.push("the bridge never ends");
}

async function tickOf(world: World, ms: number): Promise<void> {
  world.clock.advance(ms);
  await world.settle();
}
