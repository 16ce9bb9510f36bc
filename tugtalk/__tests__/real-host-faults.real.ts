/**
 * What ends while Claude waits for a call of a tool of the host and for a hook, with every measured version
 * of the CLI: each request is closed once, for its reason, and nothing hangs.
 */
import { expect } from "bun:test";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { isRunning } from "../src/base/processes.ts";
import type { Received } from "../testing/drivers/bridge-process.ts";
import { leftAfter } from "../testing/drivers/processes.ts";
import { ofType, type RealPlace, type RealSession } from "../testing/real/real-session.ts";
import { realTests } from "../testing/real/real-tests.ts";

const test = realTests(...MEASURED_VERSIONS);

const LEVEL = {
  name: "level",
  description: "The level of the water.",
  input_schema: { type: "object", properties: { place: { type: "string" } } },
  annotations: { readOnlyHint: true },
  permission: "allow",
};
const GUARD = { hook_id: "guard", event: "PreToolUse" };

type Waiting = { readonly session: RealSession; readonly ids: readonly unknown[] };

/** A session in a turn with two calls: one is at its hook, the other one runs. */
async function waiting(place: RealPlace): Promise<Waiting> {
  const session = await place.open({ options: { host_tools: [LEVEL], host_hooks: [GUARD] } });
  await session.exchange("hello", "Hello.");
  const content = ["one", "two"].map((where) => ({
    type: "tool_use" as const,
    name: "mcp__host__level",
    input: { place: where },
  }));
  session.say("how high are they?", { content });
  const hooks = [await session.next("hook_request"), await session.next("hook_request")];
  const [first, second] = hooks.map(({ request_id }) => request_id);
  session.send({ type: "hook_answer", request_id: first });
  const call = await session.next("host_tool_request");
  return { session, ids: [second, call["request_id"]] };
}

/** Both requests are closed for this reason. */
function expectClosed(messages: readonly Received[], ids: readonly unknown[], reason: string) {
  const closed = ofType(messages, "control_request_cancel");
  expect(closed.map(({ request_id }) => request_id).toSorted()).toEqual(ids.toSorted());
  expect(closed.map((one) => one["reason"])).toEqual([reason, reason]);
}

test("an interrupt closes both, and the session goes on", async (place) => {
  const { session, ids } = await waiting(place);
  session.send({ type: "interrupt" });
  const { messages } = await session.turn({ result: "cancelled" });
  expectClosed(messages, ids, "interrupted");
  await session.exchange("and now?", "Again.");
});

test("another conversation closes both, and has the same tools and hooks", async (place) => {
  const { session, ids } = await waiting(place);
  await session.command("new");
  expectClosed(session.bridge.received, ids, "interrupted");
  const call = { type: "tool_use" as const, name: "mcp__host__level", input: {} };
  session.say("how high is it?", { content: [call] }, "High.");
  const { request_id } = await session.next("hook_request");
  session.send({ type: "hook_answer", request_id });
  const asked = await session.next("host_tool_request");
  session.send({ type: "host_tool_answer", request_id: asked["request_id"], text: "High." });
  await session.turn("High.");
  await session.end(2);
});

test("a shutdown closes both, and Claude ends by itself", async (place) => {
  const { session, ids } = await waiting(place);
  session.send({ type: "shutdown" });
  await session.ended();
  expectClosed(session.bridge.received, ids, "interrupted");
  expect(session.all("process_exit")).toMatchObject([{ signal: null, expected: true }]);
});

test("a Claude that is killed closes both before its exit, and the next one asks nothing of them", async (place) => {
  const { session, ids } = await waiting(place);
  expectClosed(await session.kill(), ids, "exited");
  session.say("go on", "Gone on.");
  await session.turn("Gone on.");
  expect(session.all("host_tool_request")).toHaveLength(1);
  await session.end(2);
});

test("a bridge that is killed leaves no Claude", async (place) => {
  const { session } = await waiting(place);
  session.isOver = true;
  process.kill(session.bridge.pid, "SIGKILL");
  await session.bridge.exited;
  expect(await leftAfter([...session.processes], 10_000)).toEqual([]);
  expect(session.processes.filter(isRunning)).toEqual([]);
});

test("answers that come too late are refused, and break nothing", async (place) => {
  const { session, ids } = await waiting(place);
  session.send({ type: "interrupt" });
  await session.turn({ result: "cancelled" });
  const [hook, call] = ids;
  const stale = { type: "error", code: "stale_request" };
  await session.ask({ type: "hook_answer", request_id: hook, decision: "allow" }, stale);
  await session.ask({ type: "host_tool_answer", request_id: call, text: "High." }, stale);
  await session.exchange("and now?", "Again.");
});
