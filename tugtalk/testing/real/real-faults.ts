/**
 * A real `claude` that is killed with SIGKILL in every state: the messages to the host, and the
 * conversation after the next message. Each test has a home of its own.
 */
import { expect, test } from "bun:test";
import { promptText } from "../../simulator/api-request.ts";
import type { ScriptEntry } from "../../simulator/reply-script.ts";
import type { Received } from "../drivers/bridge-process.ts";
import { expectContractKept, expectEnd, expectGone } from "./real-end.ts";
import { commandThrough, startGate } from "./real-gate.ts";
import { conversationSent, FIRST_TURN, untilWritten } from "./real-history.ts";
import { atPlace, begin, describeReal, expectGoesOn, killClaude } from "./real-kill.ts";
import {
  callTool,
  holdReply,
  isTurnEnd,
  ofType,
  type RealPlace,
  type RealSession,
  startedProcesses,
  startRealSession,
} from "./real-session.ts";

/** What a version sends to the model for a broken answer, and for a broken tool call. */
export type Repair = {
  readonly text: readonly string[];
  readonly call: (tool: string) => readonly string[];
};

/** Messages that may arrive between a kill and the exit. */
const ENDS = new Set([
  ...["assistant_text", "tool_use", "control_request_cancel", "turn_complete", "turn_cancelled"],
  ...["message_status", "process_exit"],
]);

const WILL_RESTART = { type: "process_exit", will_restart: true };
const FAILED = { type: "message_status", status: "failed" };

/** The end of a turn that was killed: exactly these messages between the kill and the exit. */
function expectBrokenOff(
  emitted: readonly Received[],
  before: readonly object[],
  turn: object,
): void {
  expect(emitted.filter(({ type }) => ENDS.has(type))).toMatchObject([
    ...before,
    { type: "turn_cancelled", reason: "exited", ...turn },
    FAILED,
    WILL_RESTART,
  ]);
}

/** Declares the tests of one version. */
export function realFaults(version: string, repair: Repair): void {
  describeReal("killed", version, () => {
    listIdle(version);
    listInTurn(version, repair);
    listQueueFull(version, repair);
    listBeforeHandshake(version);
  });
}

function listIdle(version: string): void {
  test("while idle: the next message goes on with the whole conversation", () =>
    atPlace(version, async (place) => {
      const session = await begin(place);
      // That a message is done with, Claude may have said after the end of its turn.
      const emitted = (await killClaude(session)).filter(
        ({ type }) => type !== "command_lifecycle",
      );
      expect(emitted).toMatchObject([WILL_RESTART]);
      await expectGoesOn(session, FIRST_TURN.emitted);
      await expectEnd(session, 2);
    }));
}

function listInTurn(version: string, repair: Repair): void {
  test("in a text: the turn ends with what was said of it, and the conversation goes on", () =>
    atPlace(version, async (place) => {
      const session = await begin(place);
      const message_id = session.say("tell", holdReply("begun", " and never ended").reply);
      await session.next(({ text, status }) => text === "begun" && status === "partial");
      await untilWritten(session, "tell");

      const abandoned = { type: "assistant_text", status: "abandoned" };
      const turn = { partial_result: "begun", message_ids: [message_id] };
      expectBrokenOff(await killClaude(session), [abandoned], turn);
      await expectGoesOn(session, [...FIRST_TURN.emitted, "user: tell", ...repair.text]);
      await expectEnd(session, 2);
    }));

  test("at a prompt: the prompt is closed, a late answer is stale, the conversation goes on", () =>
    atPlace(version, async (place) => {
      const session = await begin(place);
      session.say("write", callTool("Write", { file_path: "new.txt", content: "a new line" }));
      const { request_id } = await session.prompt();
      await untilWritten(session, "a new line");

      const closed = { type: "control_request_cancel", request_id, reason: "exited" };
      expectBrokenOff(await killClaude(session), [closed], { partial_result: "" });
      const id = session.send({ type: "tool_approval", request_id, decision: "allow" });
      const late = { code: "stale_request", request_id, in_reply_to: id };
      expect(await session.next("error")).toMatchObject(late);
      await expectGoesOn(session, [...FIRST_TURN.emitted, "user: write", ...repair.call("Write")]);
      await expectEnd(session, 2);
    }));

  test("while a tool runs: its call is repaired, and the conversation goes on", () =>
    atPlace(version, async (place) => {
      using gate = startGate();
      const session = await begin(place, { options: { allowed_tools: ["Bash"] } });
      session.say("wait", callTool("Bash", { command: commandThrough(gate), description: "wait" }));
      await gate.reached;
      await untilWritten(session, gate.url);

      expectBrokenOff(await killClaude(session), [], { partial_result: "" });
      await expectGoesOn(session, [...FIRST_TURN.emitted, "user: wait", ...repair.call("Bash")]);
      await expectEnd(session, 2);
    }));
}

function listQueueFull(version: string, repair: Repair): void {
  test("with a full queue: what waited is answered by the next Claude, in order and once", () =>
    atPlace(version, async (place) => {
      const session = await begin(place, { options: { max_queued: 2 } });
      const { bridge, next, say } = session;
      say("tell", holdReply("begun", " and never ended").reply);
      await next(({ text, status }) => text === "begun" && status === "partial");
      await untilWritten(session, "tell");
      const [second, third] = ["second", "third"].map((text) => say(text, answerTo(text)));
      const fourth = say("fourth");
      expect(await next("error")).toMatchObject({ code: "queue_full", message_id: fourth });
      const rejected = { message_id: fourth, status: "rejected" };
      expect(await next("message_status")).toMatchObject(rejected);

      const abandoned = { type: "assistant_text", status: "abandoned" };
      expectBrokenOff(await killClaude(session), [abandoned], { partial_result: "begun" });
      for (const [text, message_id] of [["second", second] as const, ["third", third] as const]) {
        const answer = { result: "success", text: `Answer to ${text}.`, message_ids: [message_id] };
        expect(await next(isTurnEnd)).toMatchObject(answer);
        const receipt = { message_id, status: "completed" };
        expect(await next("message_status")).toMatchObject(receipt);
      }
      expect(conversationSent(place.api)).toEqual([
        ...FIRST_TURN.emitted,
        ...["user: tell", ...repair.text],
        ...["user: second", "assistant: Answer to second.", "user: third"],
      ]);
      expect(ofType(bridge.received, "turn_cancelled")).toHaveLength(1);
      await expectEnd(session, 2);
    }));
}

function answerTo(text: string): ScriptEntry {
  return {
    when: ({ body }) => promptText(body).includes(text),
    reply: `Answer to ${text}.`,
  };
}

function listBeforeHandshake(version: string): void {
  test("before it answered for the first time: the start has failed, and the bridge ends", () =>
    atPlace(version, async (place) => {
      const session = startRealSession(place);
      const { bridge, next, say } = session;
      const message_id = say("hello?");
      await next("process_started");
      expect((await killClaude(session)).at(-1)).toMatchObject({ will_restart: false });

      expect(await bridge.exited).toBe(1);
      expect(ofType(bridge.received, "error")).toMatchObject([
        { code: "claude_start_failed", recoverable: false },
      ]);
      expect(ofType(bridge.received, "session_init")).toEqual([]);
      expect(ofType(bridge.received, "message_status").at(-1)).toMatchObject({
        ...{ message_id, status: "cancelled", reason: "claude_start_failed" },
      });
      expectGone(bridge);
      expectContractKept(bridge);
    }));

  test("before a later one answered: its message never arrived, and the next one goes on", () =>
    atPlace(version, async (place) => {
      const session = await begin(place);
      const asked = place.api.requests.length;
      await killClaude(session);
      const message_id = session.say("too early");
      await session.next("process_started");
      expect((await killClaude(session)).at(-1)).toMatchObject(WILL_RESTART);

      const failure = { code: "claude_start_failed", recoverable: true };
      expect(await session.next("error")).toMatchObject(failure);
      const receipt = { message_id, status: "cancelled", reason: "claude_start_failed" };
      expect(await session.next("message_status")).toMatchObject(receipt);
      expect(place.api.requests.length).toBe(asked);
      await expectGoesOn(session, FIRST_TURN.emitted);
      await expectEnd(session, 3);
    }));
}

/** Declares the tests of a conversation whose first answer was broken off. */
export function realFirstStream(version: string, isLost: boolean): void {
  describeReal("killed in its first text", version, () => {
    if (isLost) listLost(version);
    else listKept(version);
  });
}

async function killInFirstText(place: RealPlace): Promise<RealSession> {
  const session = startRealSession(place);
  await session.next("session_init");
  session.say("tell", holdReply("begun", " and never ended").reply);
  await session.next(({ text, status }) => text === "begun" && status === "partial");
  return session;
}

function listKept(version: string): void {
  test("the conversation goes on, once it was on disk", () =>
    atPlace(version, async (place) => {
      const session = await killInFirstText(place);
      await untilWritten(session, "tell");
      await killClaude(session);
      session.say("and on?", "On.");
      expect((await session.turn()).end).toMatchObject({ result: "success", text: "On." });
      const emitted = conversationSent(place.api);
      expect([emitted.at(0), emitted.at(-1)]).toEqual(["user: tell", "user: and on?"]);
      await expectEnd(session, 2);
    }));
}

function listLost(version: string): void {
  test("the conversation is lost: the host is told, nothing is begun unasked, and a new one works", () =>
    atPlace(version, async (place) => {
      const session = await killInFirstText(place);
      const { bridge, next, say, send } = session;
      const [lost] = ofType(bridge.received, "session_init");
      expect((await killClaude(session)).at(-1)).toMatchObject(WILL_RESTART);
      const asked = place.api.requests.length;

      const waiting = say("and on?");
      expect(await next("process_exit")).toMatchObject({ exit_code: 1, will_restart: false });
      const error = await next("error");
      const failure = { code: "resume_failed", reason: "no_such_session", recoverable: true };
      expect(error).toMatchObject(failure);
      expect(error["message"]).toContain(
        `No conversation found with session ID: ${lost?.["session_id"]}`,
      );
      const dropped = { message_id: waiting, status: "cancelled", reason: "resume_failed" };
      expect(await next("message_status")).toMatchObject(dropped);

      const refused = say("and on now?");
      expect(await next("error")).toMatchObject({ code: "resume_failed", message_id: refused });
      expect(startedProcesses(bridge)).toHaveLength(2);
      expect(place.api.requests.length).toBe(asked);

      send({ type: "session_command", command: "new" });
      expect(await next("session_init")).toMatchObject({ mode: "new" });
      say("hello", "A new one.");
      expect((await session.turn()).end).toMatchObject({ result: "success", text: "A new one." });
      expect(conversationSent(place.api)).toEqual(["user: hello"]);
      await expectEnd(session, 3);
    }));
}
