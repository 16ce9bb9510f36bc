/**
 * Ends, pauses and stalls while Claude waits for a call of a tool of the host and for a hook, with
 * every measured version of the CLI. Each request is closed once, for its reason, and nothing hangs.
 */
import { expect } from "bun:test";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import type { ScriptEntry } from "../simulator/reply-script.ts";
import { isRunning } from "../src/base/processes.ts";
import type { Received } from "../testing/drivers/bridge-process.ts";
import { leftAfter } from "../testing/drivers/processes.ts";
import { sleepingHost } from "../testing/drivers/sleeping-host.ts";
import { agentInput, as, callTool, holdWhole } from "../testing/real/real-replies.ts";
import { newestBody } from "../testing/real/real-requests.ts";
import { ofType, type RealPlace, type RealSession } from "../testing/real/real-session.ts";
import { inOneSession, realTests } from "../testing/real/real-tests.ts";

const test = realTests(...MEASURED_VERSIONS);

const LEVEL = {
  name: "level",
  description: "The level of the water.",
  input_schema: { type: "object", properties: { place: { type: "string" } } },
  annotations: { readOnlyHint: true },
  permission: "allow",
};
const GUARD = { hook_id: "guard", event: "PreToolUse", matcher: "mcp__.*" };
const OPTIONS = { host_tools: [LEVEL], host_hooks: [GUARD] };

/** The longest silence in the test of a stall, in ms: more than a start takes on a busy machine. */
const SILENCE_MS = 6_000;

/** The ids of a hook and of a call that wait for an answer. */
type Open = readonly [hook: unknown, call: unknown];
type Waiting = { readonly session: RealSession; readonly ids: Open };

const callsOf = (...places: readonly string[]) =>
  places.map((place) => ({
    type: "tool_use" as const,
    name: "mcp__host__level",
    input: { place },
  }));

/** Waits until one of two calls is at its hook, and the other one runs. */
async function untilBoth(session: RealSession): Promise<Open> {
  const hooks = [await session.next("hook_request"), await session.next("hook_request")];
  const [first, second] = hooks.map(({ request_id }) => request_id);
  session.send({ type: "hook_answer", request_id: first });
  const call = await session.next("host_tool_request");
  return [second, call["request_id"]];
}

/** A turn with these two calls, after a turn that is on disk. */
async function waitIn(session: RealSession, ...script: ScriptEntry[]): Promise<Open> {
  await session.exchange("hello", "Hello.");
  session.say("how high are they?", { content: callsOf("one", "two") }, ...script);
  return untilBoth(session);
}

async function waiting(place: RealPlace): Promise<Waiting> {
  const session = await place.open({ options: OPTIONS });
  return { session, ids: await waitIn(session) };
}

/** Answers the hook and the call of the next one. */
async function passOne(session: RealSession): Promise<void> {
  const { request_id } = await session.next("hook_request");
  session.send({ type: "hook_answer", request_id });
  const call = await session.next("host_tool_request");
  session.send({ type: "host_tool_answer", request_id: call["request_id"], text: "High." });
}

/** Both requests are closed for this reason. */
function expectClosed(messages: readonly Received[], ids: readonly unknown[], reason: string) {
  const closed = ofType(messages, "control_request_cancel");
  expect(closed.map(({ request_id }) => request_id).toSorted()).toEqual(ids.toSorted());
  expect(closed.map((one) => one["reason"])).toEqual([reason, reason]);
}

inOneSession(
  MEASURED_VERSIONS,
  (place) => place.open({ options: OPTIONS }),
  (test) => {
    test("an interrupt closes both, and the session goes on", async (session) => {
      const ids = await waitIn(session);
      session.send({ type: "interrupt" });
      const { messages } = await session.turn({ result: "cancelled" });
      expectClosed(messages, ids, "interrupted");
      await session.exchange("and now?", "Again.");
    });

    test("answers that come too late are refused, and break nothing", async (session) => {
      const ids = await waitIn(session);
      session.send({ type: "interrupt" });
      await session.turn({ result: "cancelled" });
      const [hook, call] = ids;
      const stale = { type: "error", code: "stale_request" };
      await session.ask({ type: "hook_answer", request_id: hook, decision: "allow" }, stale);
      await session.ask({ type: "host_tool_answer", request_id: call, text: "High." }, stale);
      await session.exchange("and now?", "Again.");
    });

    test("another conversation closes both, and has the same tools and hooks", async (session) => {
      const ids = await waitIn(session);
      let open = ids;
      for (const [command, fields] of [
        ["fork"],
        ["new"],
        ["resume", { session_id: session.id }],
      ] as const) {
        const before = session.bridge.received.length;
        await session.command(command, fields);
        expectClosed(session.bridge.received.slice(before), open, "interrupted");
        open = await waitIn(session);
      }
      session.send({ type: "interrupt" });
      await session.turn({ result: "cancelled" });
      session.say("how high is it?", { content: callsOf("one") }, "High.");
      await passOne(session);
      await session.turn("High.");
    });

    test("a Claude that is killed closes both before its exit, and the next one asks nothing of them", async (session) => {
      const before = session.all("host_tool_request").length;
      const ids = await waitIn(session);
      expectClosed(await session.kill(), ids, "exited");
      session.say("go on", "Gone on.");
      await session.turn("Gone on.");
      expect(session.all("host_tool_request")).toHaveLength(before + 1);
      await session.end(5);
    });
  },
);

test("a shutdown closes both, and Claude ends by itself", async (place) => {
  const { session, ids } = await waiting(place);
  session.send({ type: "shutdown" });
  await session.ended();
  expectClosed(session.bridge.received, ids, "interrupted");
  expect(session.all("process_exit")).toMatchObject([{ signal: null, expected: true }]);
});

test("a bridge that is killed leaves no Claude", async (place) => {
  const { session } = await waiting(place);
  session.isOver = true;
  process.kill(session.bridge.pid, "SIGKILL");
  await session.bridge.exited;
  expect(await leftAfter([...session.processes], 10_000)).toEqual([]);
  expect(session.processes.filter(isRunning)).toEqual([]);
});

test("while the host sleeps its answers count, and when it wakes it gets all that has come", async (place) => {
  await using host = sleepingHost(place.home.root);
  const session = place.startSilent([`--dir=${place.home.project}`], host.command);
  session.send({ type: "protocol_init", version: 2, options: OPTIONS });
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
  const text = "It is high. ".repeat(20_000);
  const [hook, call] = await waitIn(
    session,
    () => {
      asked();
      return { content: [{ type: "text", text }, ...callsOf("three")], pieceChars: 1_000 };
    },
    "All known.",
  );
  await host.sleep();
  const sent = Array.from({ length: 1_000 }, () => session.send({ type: "session_list" }));
  session.send({ type: "hook_answer", request_id: hook, decision: "deny", reason: "no" });
  session.send({ type: "host_tool_answer", request_id: call, text: "High." });
  await isAsked;
  expect(session.all("control_request_resolved")).toHaveLength(1);
  await host.wake();
  await passOne(session);
  const { messages } = await session.turn("All known.");
  const results = ofType(messages, "tool_result").map(({ is_error }) => is_error === true);
  expect(results.toSorted()).toEqual([false, false, true]);
  expect(messages).toContainEqual(expect.objectContaining({ status: "complete", text }));
  // The last ones may be answered after the turn, and all are before the end.
  await session.end();
  const answered = new Set(session.bridge.received.map(({ in_reply_to }) => in_reply_to));
  expect(sent.filter((id) => !answered.has(id))).toEqual([]);
});

test("a Claude that starts while the host sleeps is given its tools", async (place) => {
  await using host = sleepingHost(place.home.root);
  const session = place.startSilent([`--dir=${place.home.project}`], host.command);
  await session.ask({ type: "session_list" }, { type: "session_list_result" });
  await host.sleep();
  session.send({ type: "protocol_init", version: 2, options: OPTIONS });
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
  session.say(
    "how high is it?",
    () => {
      asked();
      return { content: callsOf("one") };
    },
    "High.",
  );
  await isAsked;
  expect(JSON.stringify(newestBody(place.api)["tools"])).toContain("mcp__host__level");
  expect(session.all("protocol_ack")).toEqual([]);
  await host.wake();
  await passOne(session);
  await session.turn("High.");
  await session.end();
});

test("a stall ends the turn, and with it what an agent in the background waits for; 2.1.38 lets the agent go on", async (place) => {
  const options = {
    ...OPTIONS,
    allowed_tools: ["Task", "Agent"],
    first_token_timeout_ms: SILENCE_MS,
  };
  const session = await place.open({ options });
  const { reply: late, release: end } = holdWhole("Too late.");
  const { promise: until, resolve: release } = Promise.withResolvers<void>();
  place.api.script(
    as("measure it", { content: callsOf("one", "two"), holds: [{ until }] }),
    as("measure it", "Measured."),
  );
  const input = agentInput("measure it", { run_in_background: true });
  session.say("send one", callTool("Task", input), "Sent.");
  await session.turn("Sent.");
  release();
  const [hook, call] = await untilBoth(session);
  session.say("hello", late);
  await session.next("error", { code: "claude_unresponsive" });
  const { messages } = await session.turn({ result: "cancelled" });
  end();
  if (place.version === "2.1.38") {
    const resolved = { type: "control_request_resolved", outcome: "answered" };
    await session.ask({ type: "host_tool_answer", request_id: call, text: "High." }, resolved);
    await session.ask({ type: "hook_answer", request_id: hook, decision: "deny" }, resolved);
  } else expectClosed(messages, [hook, call], "interrupted");
  await session.exchange("and now?", "Again.");
});
