/**
 * Conversations that outlive a bridge with a real `claude`: a signal during a turn, then other bridges
 * that resume the conversation. One home, the tests in order.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promptText } from "../../simulator/api-request.ts";
import { expectContractKept, expectEnd, expectGone } from "./real-end.ts";
import { conversationSent, exchange, FIRST_TURN, untilWritten } from "./real-history.ts";
import {
  holdReply,
  isTurnEnd,
  ofType,
  openRealPlace,
  type RealPlace,
  startRealSession,
} from "./real-session.ts";
import { INSTALL_TIMEOUT_MS, REAL_TIMEOUT_MS } from "./real-shared-session.ts";

/** What the tests of one version share: the home, and the id of the first conversation. */
type Shared = { readonly place: RealPlace; firstId?: unknown };

/** Declares the tests of one version. */
export function realResume(version: string): void {
  setDefaultTimeout(REAL_TIMEOUT_MS);
  describe(`claude ${version}`, () => {
    let shared: Shared | undefined;
    const at = () => {
      if (shared === undefined) throw new Error("there is no place");
      return shared;
    };
    beforeAll(async () => {
      shared = { place: await openRealPlace(version) };
    }, INSTALL_TIMEOUT_MS);
    afterAll(() => shared?.place.close());

    listSignal(at);
    listGoingOn(at);
    listNothingToGoOnWith(at);
    listUsedId(at);
    listEarlyInterrupt(at);
  });
}

function listUsedId(at: () => Shared): void {
  test("a repeated message id is refused, and the next message gets its turn", async () => {
    const { place } = at();
    const first = startRealSession(place);
    const { session_id } = await first.next("session_init");
    const message_id = first.say("remember it", "I do.");
    await first.turn();
    await untilWritten(first, "I do.");
    await expectEnd(first);

    const second = startRealSession(place, { session: { mode: "resume", session_id } });
    second.send({ type: "user_message", text: "remember it", message_id });
    expect(await second.next("error")).toMatchObject({ code: "message_rejected", message_id });
    expect((await second.turn()).end).toMatchObject({ reason: "rejected" });
    await exchange(second, "and on?", "On.");
    await expectEnd(second);
  });
}

function listEarlyInterrupt(at: () => Shared): void {
  test("an interrupt right behind its message ends the turn, and the next one works", async () => {
    const session = startRealSession(at().place);
    await session.next("session_init");
    // Depending on timing, the model is called before the interrupt, or never.
    const { promise: never } = Promise.withResolvers<void>();
    at().place.api.script({
      // An unanswered message is sent again before the next one.
      when: ({ body }) => promptText(body).trimEnd().endsWith("never mind"),
      reply: { content: [{ type: "text", text: "begun" }], holds: [{ until: never }] },
    });
    session.say("never mind");
    session.send({ type: "interrupt" });
    const { end } = await session.turn();
    expect(end).toMatchObject({ result: "cancelled" });
    await exchange(session, "hello again", "Hello.");
    await expectEnd(session);
  });
}

function listSignal(at: () => Shared): void {
  test("a SIGTERM in a turn ends the turn and both processes, with exit code 0", async () => {
    const session = startRealSession(at().place);
    const { bridge, say, turn, next } = session;
    at().firstId = (await next("session_init"))["session_id"];
    say(FIRST_TURN.text, ...FIRST_TURN.script);
    expect((await turn()).end).toMatchObject({ result: "success", text: "I will." });
    await untilWritten(session, "I will.");

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
}

function listGoingOn(at: () => Shared): void {
  test("a resumed conversation goes on with its earlier messages", async () => {
    const { place, firstId } = at();
    const session = startRealSession(place, { session: { mode: "resume", session_id: firstId } });
    const init = { session_id: firstId, mode: "resume" };
    expect(await session.next("session_init")).toMatchObject(init);
    const { messages } = await exchange(session, "which bird?", "A heron.");
    expect(ofType(messages, "system_metadata")).toMatchObject([{ session_id: firstId }]);
    expectIntact(place, [], "user: which bird?");
    await expectEnd(session);
  });

  test("a fork has an id of its own and the messages of its origin", async () => {
    const { place, firstId } = at();
    const session = startRealSession(place, { session: { mode: "fork", session_id: firstId } });
    const init = await session.next("session_init");
    expect(init).toMatchObject({ mode: "fork", previous_session_id: firstId });
    const { session_id } = init;
    expect(session_id).not.toBe(firstId);
    const { messages } = await exchange(session, "and in a fork?", "Still a heron.");
    expect(ofType(messages, "system_metadata")).toMatchObject([{ session_id }]);
    expectIntact(place, RESUMED, "user: and in a fork?");
    expect(ofType(session.bridge.received, "session_init")).toHaveLength(1);
    await expectEnd(session);
  });

  test("continue takes the newest conversation of the folder, which is the fork", async () => {
    const { place, firstId } = at();
    const session = startRealSession(place, { session: { mode: "continue" } });
    const { session_id } = await session.next("session_init");
    expect(session_id).not.toBe(firstId);
    await exchange(session, "go on", "Gone on.");
    expectIntact(place, [...RESUMED, ...FORKED], "user: go on");
    await expectEnd(session);
  });
}

const RESUMED = ["user: which bird?", "assistant: A heron."];
const FORKED = ["user: and in a fork?", "assistant: Still a heron."];

/**
 * The model gets the whole first turn, with its tool, and everything `since`, in order and once. Between
 * them is what a version keeps of the turn that the signal broke off.
 */
function expectIntact({ api }: RealPlace, since: readonly string[], last: string): void {
  const emitted = conversationSent(api);
  expect(emitted.slice(0, FIRST_TURN.emitted.length)).toEqual(FIRST_TURN.emitted);
  const between = emitted.slice(FIRST_TURN.emitted.length, emitted.length - since.length - 1);
  const repeated = between.filter((line) => [...FIRST_TURN.emitted, ...since, last].includes(line));
  expect(repeated).toEqual([]);
  expect(emitted.slice(emitted.length - since.length - 1)).toEqual([...since, last]);
}

function listNothingToGoOnWith(at: () => Shared): void {
  test("a conversation that was never begun is begun with its id, also a second time", async () => {
    const { place } = at();
    const session_id = crypto.randomUUID();
    const choice = { session: { mode: "resume", session_id } };
    const idle = startRealSession(place, choice);
    expect(await idle.next("session_init")).toMatchObject({ session_id, mode: "new" });
    await expectEnd(idle, 2);

    const session = startRealSession(place, choice);
    expect(await session.next("session_init")).toMatchObject({ session_id, mode: "new" });
    await exchange(session, "hello", "Begun.");
    await expectEnd(session, 2);

    const again = startRealSession(place, choice);
    expect(await again.next("session_init")).toMatchObject({ session_id, mode: "resume" });
    await exchange(again, "and on?", "On.");
    expect(conversationSent(place.api)).toEqual([
      "user: hello",
      "assistant: Begun.",
      "user: and on?",
    ]);
    await expectEnd(again);
  });

  test("a conversation of another folder is an error, and another one can be started", async () => {
    const { place } = at();
    const missing = crypto.randomUUID();
    const other = join(place.home.configDir, "projects", "-work-other");
    await mkdir(other, { recursive: true });
    await writeFile(join(other, `${missing}.jsonl`), "");
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
    await exchange(session, "hello", "A new one.");
    expect(conversationSent(place.api)).toEqual(["user: hello"]);
    await expectEnd(session, 2);
  });
}
