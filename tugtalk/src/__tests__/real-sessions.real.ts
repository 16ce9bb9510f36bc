/**
 * Conversations that outlive a bridge with the real CLI: a signal in the middle of a turn, then
 * other bridges that go on with what the first one left. One place, the tests in order.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { TestBridge } from "./support/bridge-process.ts";
import { observe } from "./support/observer.ts";
import { INSTALL_TIMEOUT_MS, REAL_TIMEOUT_MS } from "./support/real-list.ts";
import {
  holdReply,
  isAlive,
  isTurnEnd,
  ofType,
  openRealPlace,
  type RealPlace,
  type RealSession,
  startedProcesses,
  startRealSession,
} from "./support/real-session.ts";

const VERSION = "2.1.330";
const BIRD = "the heron at the weir – Fischreiher 🪶";

setDefaultTimeout(REAL_TIMEOUT_MS);

let place: RealPlace;
let firstId: unknown;

beforeAll(async () => {
  place = await openRealPlace(VERSION);
}, INSTALL_TIMEOUT_MS);
afterAll(() => place?.close());

test("a SIGTERM in a turn ends the turn and both processes, with exit code 0", async () => {
  const session = startRealSession(place);
  const { bridge, say, turn, next } = session;
  firstId = (await next("session_init"))["session_id"];
  say(`remember ${BIRD}`, "I will.");
  expect((await turn()).end).toMatchObject({ result: "success", text: "I will." });

  const held = holdReply("begun", " and never ended");
  const message_id = say("tell", held.reply);
  await next(({ text, status }) => text === "begun" && status === "partial");
  bridge.kill("SIGTERM");

  expect(await bridge.exited).toBe(0);
  expectGone(bridge);
  const [end, ...others] = bridge.received.filter(isTurnEnd).slice(1);
  expect(others).toEqual([]);
  expect(end).toMatchObject({ message_ids: [message_id] });
  expect(["cancelled", "shutdown"]).toContain(String(end?.["result"] ?? end?.["reason"]));
  expectContractKept(bridge);
});

test("a resumed conversation goes on: the model is told what was said before", async () => {
  const session = startRealSession(place, { session: { mode: "resume", session_id: firstId } });
  expect(await session.next("session_init")).toMatchObject({
    session_id: firstId,
    mode: "resume",
  });
  expect(await answered(session, "which bird?", "A heron.")).toMatchObject([
    { session_id: firstId },
  ]);
  expect(everythingTold()).toContain(BIRD);
  expect(everythingTold()).toContain("I will.");
  await end(session);
});

test("a fork has an id of its own and the words of the conversation that it left", async () => {
  const session = startRealSession(place, { session: { mode: "fork", session_id: firstId } });
  const init = await session.next("session_init");
  expect(init).toMatchObject({ mode: "fork", previous_session_id: firstId });
  const { session_id } = init;
  expect(session_id).not.toBe(firstId);
  expect(await answered(session, "and in a fork?", "Still a heron.")).toMatchObject([
    { session_id },
  ]);
  expect(everythingTold()).toContain(BIRD);
  expect(ofType(session.bridge.received, "session_init")).toHaveLength(1);
  await end(session);
});

test("continue takes the newest conversation of the folder, which is the fork", async () => {
  const session = startRealSession(place, { session: { mode: "continue" } });
  const { session_id } = await session.next("session_init");
  expect(session_id).not.toBe(firstId);
  await answered(session, "go on", "Gone on.");
  expect(everythingTold()).toContain("Still a heron.");
  await end(session);
});

test("a conversation that is not there is an error that says so, and another can be begun", async () => {
  const missing = crypto.randomUUID();
  const session = startRealSession(place, { session: { mode: "resume", session_id: missing } });
  const { message, ...error } = await session.next("error");
  expect(error).toMatchObject({
    code: "resume_failed",
    reason: "no_such_session",
    recoverable: true,
  });
  expect(message).toContain(missing);
  expect(ofType(session.bridge.received, "session_init")).toEqual([]);

  session.send({ type: "session_command", command: "new" });
  expect(await session.next("control_result")).toMatchObject({ ok: true });
  expect(await session.next("session_init")).toMatchObject({ mode: "new" });
  await answered(session, "hello", "A new one.");
  expect(everythingTold()).not.toContain(BIRD);
  await end(session, 2);
});

/** Says something, has it answered, and gives the `system_metadata` of the turn. */
async function answered(session: RealSession, text: string, reply: string) {
  session.say(text, reply);
  const { end, messages } = await session.turn();
  expect(end).toMatchObject({ result: "success", text: reply });
  return ofType(messages, "system_metadata");
}

function everythingTold(): string {
  const newest = place.api.requests.findLast(({ kind }) => kind === "main");
  return JSON.stringify(newest?.body.messages);
}

async function end({ bridge }: RealSession, processes = 1): Promise<void> {
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  expectGone(bridge, processes);
  expectContractKept(bridge);
}

function expectGone(bridge: TestBridge, processes = 1): void {
  const started = startedProcesses(bridge);
  expect(started).toHaveLength(processes);
  expect(started.filter(isAlive)).toEqual([]);
  expect(isAlive(bridge.pid)).toBe(false);
}

function expectContractKept({ received, sentIds }: TestBridge): void {
  expect(observe({ received, sentIds, isOver: true })).toEqual([]);
}
