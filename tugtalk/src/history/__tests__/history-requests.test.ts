/** Requests about past conversations: one answer each, in order, beside the live session. */
import { afterEach, expect, test } from "bun:test";
import { startBridge, type TestBridge } from "../../../testing/drivers/bridge-process.ts";
import { initialize, startConversation } from "../../../testing/drivers/bridge-states.ts";
import { collectEmitted } from "../../../testing/drivers/emitted-lines.ts";
import { openPastSessions, said, sessionId } from "../../../testing/drivers/past-sessions.ts";
import { observe } from "../../../testing/observer/observer.ts";
import type { OutboundDraft } from "../../types.ts";
import { HistoryRequests, MAX_HISTORY_REQUESTS } from "../history-requests.ts";

const EMPTY: OutboundDraft = { type: "session_list_result", sessions: [] };

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

function bridgeWithPast(start: (options: object) => TestBridge) {
  const past = openPastSessions();
  const bridge = start({ cwd: past.project, env: { CLAUDE_CONFIG_DIR: past.configDir } });
  ends.push(past.remove, () => bridge.kill());
  return { past, bridge };
}

test("requests are answered in order, each after the host has read the previous answer", async () => {
  const log: string[] = [];
  const { emit } = collectEmitted();
  const requests = new HistoryRequests({
    read: async ({ id }) => {
      log.push(`read ${id}`);
      return EMPTY;
    },
    emit: (message) => {
      emit(message);
      log.push(`emitted ${message.in_reply_to}`);
    },
    flush: async () => void log.push("flushed"),
  });
  requests.add({ type: "session_list", id: "1" });
  requests.add({ type: "session_list", id: "2" });
  expect(log).toEqual([]);
  await requests.settled();
  expect(log).toEqual(["flushed", "read 1", "emitted 1", "flushed", "read 2", "emitted 2"]);
});

test("requests beyond the limit are rejected, and requests are accepted again once the queue is empty", async () => {
  const { emitted, emit } = collectEmitted();
  const requests = new HistoryRequests({
    read: async () => EMPTY,
    emit,
    flush: () => undefined,
  });
  for (let at = 0; at <= MAX_HISTORY_REQUESTS; at += 1) requests.add({ type: "session_list" });
  expect(emitted).toMatchObject([{ type: "error", code: "control_rejected", recoverable: true }]);
  await requests.settled();
  requests.add({ type: "session_list" });
  await requests.settled();
  expect(emitted.filter(({ type }) => type === "session_list_result").length).toBe(
    MAX_HISTORY_REQUESTS + 1,
  );
});

test("files that are to be written wait up to a number of characters, and more are rejected", async () => {
  const { emitted, emit } = collectEmitted();
  const requests = new HistoryRequests({ read: async () => EMPTY, emit, flush: () => undefined });
  const lines = ["x".repeat(40 * 1024 * 1024)];
  const restore = {
    type: "transcript_restore",
    session_id: sessionId(1),
    files: [{ file: "f", offset: 0, lines }],
  } as const;
  const add = () => requests.add({ ...restore, files: [{ file: "f", offset: 0, lines }] });
  expect(requests.restored()).toBeUndefined();
  add();
  add();
  expect(emitted).toMatchObject([{ type: "error", code: "control_rejected" }]);
  await requests.restored();
  expect(requests.restored()).toBeUndefined();
  add();
  await requests.settled();
  expect(emitted).toHaveLength(3);
});

test("a request that fails is answered with an error, and the next one is answered", async () => {
  const { emitted, emit } = collectEmitted();
  let isFirst = true;
  const requests = new HistoryRequests({
    read: async () => {
      if (!isFirst) return EMPTY;
      isFirst = false;
      throw new Error("disk on fire");
    },
    emit,
    flush: () => undefined,
  });
  requests.add({ type: "session_list", id: "a" });
  requests.add({ type: "session_list", id: "b" });
  await requests.settled();
  expect(emitted).toMatchObject([
    { type: "error", code: "internal", message: "disk on fire", in_reply_to: "a" },
    { type: "session_list_result", in_reply_to: "b" },
  ]);
});

test("history requests are answered during a turn, and all guarantees hold", async () => {
  const { past, bridge } = bridgeWithPast((options) => startConversation(undefined, options));
  past.place("2.1.38/sub_tools");
  past.write(sessionId(1), [said("a", null, "older")], 100);
  await initialize(bridge);
  bridge.send({ type: "user_message", text: "hello" });
  bridge.send({ type: "session_list", id: "list", limit: 1 });
  const first = await bridge.next("session_list_result");
  expect(first).toMatchObject({ in_reply_to: "list", sessions: [{ title: "please delegate" }] });
  bridge.send({ type: "session_list", before: first["next"] });
  const rest = await bridge.next("session_list_result");
  expect(rest["sessions"]).toMatchObject([{ session_id: sessionId(1), title: "older" }]);
  bridge.send({ type: "session_history", id: "history", session_id: sessionId(1) });
  expect(await bridge.next("session_history_result")).toMatchObject({
    in_reply_to: "history",
    session_id: sessionId(1),
    messages: [{ type: "user_text", kind: "history", text: "older" }],
    skipped_lines: 0,
  });
  bridge.send({ type: "session_history", id: "gone", session_id: sessionId(9) });
  expect(await bridge.next("error")).toMatchObject({
    code: "unknown_request",
    reason: "no_such_session",
    in_reply_to: "gone",
    recoverable: true,
  });
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  expect(observe({ received: bridge.received, sentIds: bridge.sentIds, isOver: true })).toEqual([]);
});

test("the host is answered while a long conversation is read", async () => {
  const { past, bridge } = bridgeWithPast((options) => startConversation(undefined, options));
  const long = "x".repeat(1024);
  const line = (_: unknown, at: number) => said(`u${at}`, at === 0 ? null : `u${at - 1}`, long);
  past.write(sessionId(1), Array.from({ length: 20_000 }, line));
  await initialize(bridge);
  bridge.send({ type: "session_history", id: "long", session_id: sessionId(1) });
  await bridge.next(answerTo(bridge, "first"));
  await bridge.next(answerTo(bridge, "second"));
  const { messages } = await bridge.next("session_history_result");
  expect(messages).toHaveLength(20);
});

/** Sends a request that is answered at once; returns a predicate for the answer. */
function answerTo(bridge: TestBridge, id: string) {
  bridge.send({ type: "cancel_message", id, message_id: crypto.randomUUID() });
  return ({ in_reply_to }: { readonly [field: string]: unknown }) => in_reply_to === id;
}

test("past conversations are read from the CLAUDE_CONFIG_DIR of the options", async () => {
  const past = openPastSessions();
  const bridge = startBridge({ cwd: past.project });
  ends.push(past.remove, () => bridge.kill());
  past.write(sessionId(1), [said("a", null, "hello")]);
  const env = { CLAUDE_CONFIG_DIR: past.configDir };
  const session = { mode: "continue" };
  bridge.send({ type: "protocol_init", version: 2, session, options: { env } });
  expect(await bridge.next("session_init")).toMatchObject({ session_id: sessionId(1) });
  bridge.send({ type: "session_list" });
  const { sessions } = await bridge.next("session_list_result");
  expect(sessions).toMatchObject([{ session_id: sessionId(1) }]);
  bridge.send({ type: "session_history", session_id: sessionId(1) });
  const { messages } = await bridge.next("session_history_result");
  expect(messages).toMatchObject([{ type: "user_text", text: "hello" }]);
});

test("a request is answered before the bridge exits, even when its input ends at once", async () => {
  const { past, bridge } = bridgeWithPast(startBridge);
  past.write(sessionId(1), [said("a", null, "hello")]);
  bridge.send({ type: "protocol_init", version: 2 });
  bridge.send({ type: "session_list" });
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  expect(bridge.received.filter(({ type }) => type === "session_list_result")).toHaveLength(1);
});
