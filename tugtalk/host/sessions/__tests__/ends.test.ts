/** How a session goes on after its Claude, its bridge or the host has ended. */
import { describe, expect, test } from "bun:test";
import { latestEntries } from "../../../client/entry-pages.ts";
import type { HostSession } from "../../api/host-session.ts";
import {
  partial,
  processExit,
  prompt,
  status,
  turnComplete,
  turnStarted,
  wholeTurn,
} from "./support/bridge-words.ts";
import type { FakeBridge } from "./support/fake-bridge.ts";
import { entriesOf, reducedOf, SessionHarness, settled } from "./support/session-harness.ts";

type Told = Readonly<Record<string, unknown>>;

function toldBy(session: HostSession): readonly Told[] {
  return entriesOf(session).map(({ type, data }) => ({ type, ...JSON.parse(data) }));
}

/** How often each turn, prompt and message has ended. */
function endsOf(session: HostSession) {
  const told = toldBy(session);
  const count = (types: readonly string[], id: string, value: unknown) =>
    told.filter((one) => types.includes(String(one["type"])) && one[id] === value).length;
  const ids = (type: string, id: string) =>
    told.filter((one) => one["type"] === type).map((one) => one[id]);
  return {
    turns: ids("turn_started", "turn_id").map((id) =>
      count(["turn_complete", "turn_cancelled"], "turn_id", id),
    ),
    prompts: ids("approval-requested", "requestId").map((id) =>
      count(["approval-resolved", "approval-cancelled"], "requestId", id),
    ),
    messages: ids("message-sent", "message_id").map(
      (id) =>
        told.filter(
          (one) =>
            one["type"] === "message_status" &&
            one["message_id"] === id &&
            ["completed", "failed", "cancelled", "rejected"].includes(String(one["status"])),
        ).length,
    ),
  };
}

type Scene = { readonly bridge: FakeBridge; readonly session: HostSession };

const STATES: Readonly<Record<string, (scene: Scene) => unknown>> = {
  idle: () => {},
  "after a turn": async ({ bridge, session }) => {
    const { message_id } = await session.message({ message: "One" });
    bridge.say(...wholeTurn("t1", message_id, "One"));
  },
  "a message in flight": ({ session }) => session.message({ message: "One" }),
  streaming: async ({ bridge, session }) => {
    const { message_id } = await session.message({ message: "One" });
    bridge.say(turnStarted("t1", [message_id]), status(message_id, "started"));
    bridge.say({ type: "user_text", turn_id: "t1", message_id, text: "One", kind: "host" });
    bridge.say(partial("t1", "Half a "));
  },
  "a prompt open": ({ bridge }) => bridge.say(turnStarted(), prompt("r1", "t1")),
  "messages waiting": async ({ bridge, session }) => {
    bridge.say(turnStarted());
    await settled();
    await session.message({ message: "Two" });
    await session.message({ message: "Three" });
  },
  steered: async ({ bridge, session }) => {
    bridge.say(turnStarted());
    await settled();
    await session.message({ message: "Two", delivery: "steer" });
  },
  compacting: ({ bridge }) =>
    bridge.say(turnStarted(), { type: "session_state", state: "compacting" }),
  "a background task": ({ bridge }) =>
    bridge.say(
      turnStarted(),
      { type: "task_started", task_id: "k1", tool_use_id: "toolu_1", description: "Look" },
      turnComplete(),
      prompt("r2"),
    ),
};

describe("a host that is killed and starts again on the same journal", () => {
  test.each(Object.entries(STATES))("ends all that was open: %s", async (_, reach) => {
    const harness = new SessionHarness();
    const session = await harness.create();
    await reach({ bridge: harness.bridge, session });
    await settled();
    const before = session.queue();
    harness.restart();
    const again = harness.sessions.get(session.id);
    const { state } = again.snapshot();
    expect(again.info()).toMatchObject({ state: "exited", pending: 0, queued: before.length });
    expect(again.queue()).toEqual(before);
    expect(state.isQueueHeld).toBe(before.length > 0);
    const { turns, prompts, messages } = endsOf(again);
    expect([...turns, ...prompts, ...messages].filter((ends) => ends !== 1)).toEqual([]);
    expect(state.prompts).toEqual([]);
    expect(state.backgroundTasks.filter(({ status: word }) => word === "running")).toEqual([]);
    expect(JSON.stringify(state)).not.toMatch(/"(?:running|streaming|waiting)"/);
    expect(state).toEqual(latestEntries(reducedOf(again), 50));
  });

  test.each(Object.entries(STATES))(
    "adds nothing when it starts a third time: %s",
    async (_, reach) => {
      const harness = new SessionHarness();
      const session = await harness.create();
      await reach({ bridge: harness.bridge, session });
      await settled();
      harness.restart();
      const { cursor } = harness.sessions.get(session.id).snapshot();
      harness.restart();
      expect(harness.sessions.get(session.id).cursor()).toEqual(cursor);
    },
  );

  test("resumes the conversation with the next message, after what was held", async () => {
    const harness = new SessionHarness();
    const session = await harness.create();
    const { bridge } = harness;
    const { message_id } = await session.message({ message: "One" });
    bridge.say(turnStarted("t1", [message_id]), status(message_id, "started"));
    await settled();
    await session.message({ message: "Two" });
    harness.restart();
    const again = harness.sessions.get(session.id);
    expect(harness.bridges).toHaveLength(1);
    expect(await again.message({ message: "Three" })).toMatchObject({ status: "queued" });
    expect(harness.bridge.sentOf("protocol_init")).toMatchObject([
      { session: { mode: "resume", session_id: "c1" }, dir: "/work" },
    ]);
    expect(harness.bridge.sentOf("user_message").map(({ text }) => text)).toEqual(["Two"]);
    expect(again.snapshot().state.isQueueHeld).toBe(false);
  });

  test("holds nothing more once the last message that was held is deleted", async () => {
    const harness = new SessionHarness();
    const session = await harness.create();
    harness.bridge.say(turnStarted());
    await settled();
    const { message_id } = await session.message({ message: "Two" });
    harness.restart();
    const again = harness.sessions.get(session.id);
    again.deleteQueued(message_id);
    expect(again.snapshot().state.isQueueHeld).toBe(false);
    expect(await again.message({ message: "Three" })).toMatchObject({ status: "sent" });
  });

  test("starts a new conversation where nothing was said in the old one", async () => {
    const harness = new SessionHarness();
    const { id } = await harness.create();
    harness.restart();
    await harness.sessions.get(id).message({ message: "One" });
    expect(harness.bridge.sentOf("protocol_init")).toMatchObject([{ session: { mode: "new" } }]);
  });

  test("knows how its prompts were closed", async () => {
    const harness = new SessionHarness();
    const session = await harness.create();
    harness.bridge.say(turnStarted(), prompt("r1", "t1"), prompt("r2", "t1"));
    await settled();
    await session.answer("r1", { kind: "approval", decision: "deny" }, { name: "desk" });
    harness.restart();
    const again = harness.sessions.get(session.id);
    const answer = (id: string) =>
      again
        .answer(id, { kind: "approval", decision: "allow" }, {})
        .catch((error: unknown) => error);
    expect(await answer("r1")).toMatchObject({
      status: 409,
      details: { outcome: "deny", by: "desk" },
    });
    expect(await answer("r2")).toMatchObject({
      status: 409,
      details: { outcome: "cancelled", reason: "exited" },
    });
    expect(await answer("r3")).toMatchObject({ status: 404 });
    expect(again.requestOfTool("toolu_r2")).toBe("r2");
  });
});

describe("a Claude that has crashed", () => {
  async function crashed(willRestart: boolean) {
    const harness = new SessionHarness();
    const session = await harness.create();
    const { message_id } = await session.message({ message: "One" });
    harness.bridge.say(turnStarted("t1", [message_id]), status(message_id, "started"));
    await settled();
    await session.message({ message: "Two" });
    harness.bridge.say(
      {
        type: "turn_cancelled",
        turn_id: "t1",
        partial_result: "",
        reason: "exited",
        message_ids: [],
        trigger: "user",
      },
      status(message_id, "failed"),
      processExit(willRestart),
      { type: "session_state", state: "exited" },
    );
    await settled();
    return { harness, session };
  }

  test("is started again by its bridge for the message that waits", async () => {
    const { harness } = await crashed(true);
    expect(harness.bridges).toHaveLength(1);
    expect(harness.bridge.sentOf("user_message").map(({ text }) => text)).toEqual(["One", "Two"]);
  });

  test("too often holds the queue, until a person sends and another bridge resumes the conversation", async () => {
    const { harness, session } = await crashed(false);
    expect(harness.bridge.isEnded).toBe(true);
    expect(session.info()).toMatchObject({ state: "exited", queued: 1 });
    expect(session.snapshot().state.isQueueHeld).toBe(true);
    const [waiting] = session.queue();
    expect(await session.sendQueued(waiting?.message_id ?? "", "queue")).toMatchObject({
      status: "sent",
    });
    expect(harness.bridge.sentOf("protocol_init")).toMatchObject([{ session: { mode: "resume" } }]);
  });
});

describe("a bridge that ends without a word", () => {
  test("leaves nothing open, and another one resumes for what waits", async () => {
    const harness = new SessionHarness();
    const session = await harness.create();
    const { message_id } = await session.message({ message: "One" });
    harness.bridge.say(turnStarted("t1", [message_id]), prompt("r1", "t1"));
    await settled();
    await session.message({ message: "Two" });
    harness.bridge.end({ isConfirmed: true, reason: "the bridge was ended by SIGKILL" });
    await settled();
    const { turns, prompts, messages } = endsOf(session);
    expect([turns, prompts, messages[0]]).toEqual([[1], [1], 1]);
    expect(harness.bridges).toHaveLength(2);
    expect(harness.bridge.sentOf("user_message").map(({ text }) => text)).toEqual(["Two"]);
    expect(toldBy(session)).toContainEqual(
      expect.objectContaining({ type: "host-error", code: "bridge_ended" }),
    );
  });

  test("is not replaced more than three times in a minute by itself", async () => {
    const harness = new SessionHarness();
    const session = await harness.create();
    harness.bridge.say(turnStarted());
    await settled();
    for (const message of ["A", "B", "C", "D", "E"]) await session.message({ message });
    for (let end = 0; end < 5; end += 1) {
      harness.bridge.end();
      await settled();
    }
    expect(harness.bridges).toHaveLength(4);
    expect(session.queue().map(({ message }) => message)).toEqual(["D", "E"]);
    expect(session.snapshot().state.isQueueHeld).toBe(true);
    expect(session.info().last_error).toMatch(/three times/);
  });

  test("closes the prompt that is being answered", async () => {
    const harness = new SessionHarness();
    const session = await harness.create();
    harness.bridge.say(turnStarted(), prompt("r1", "t1"));
    await settled();
    const { bridge } = harness;
    bridge.answers.set("tool_approval", (usual) => {
      bridge.end();
      return usual;
    });
    const answer = session.answer("r1", { kind: "approval", decision: "allow" }, {});
    expect(await answer.catch((error: unknown) => error)).toMatchObject({ status: 409 });
    await settled();
    expect(session.pending()).toEqual([]);
  });
});

describe("a Claude that cannot be started", () => {
  const NO_CLAUDE = {
    type: "error",
    code: "claude_not_found",
    message: "there is no claude",
    recoverable: false,
  };

  test("leaves no session behind that was to be created", async () => {
    const harness = new SessionHarness();
    harness.start = [NO_CLAUDE];
    expect(await harness.create().catch((error: unknown) => error)).toMatchObject({
      status: 503,
      code: "no_claude",
    });
    expect(harness.sessions.list()).toEqual([]);
  });

  test("leaves the message for which it was started in the queue, which is held", async () => {
    const harness = new SessionHarness();
    const session = await harness.create();
    harness.bridge.end();
    await settled();
    harness.start = [NO_CLAUDE];
    expect(await session.message({ message: "One" })).toMatchObject({
      status: "queued",
      position: 1,
    });
    expect(session.info()).toMatchObject({ state: "failed", last_error: "there is no claude" });
    expect(session.snapshot().state.isQueueHeld).toBe(true);
  });
});

test("a host that ends closes every Claude, and holds what waits", async () => {
  const harness = new SessionHarness();
  const session = await harness.create();
  harness.bridge.say(turnStarted());
  await settled();
  await session.message({ message: "Two" });
  const frames: string[] = [];
  session.listen((batch) => frames.push(...batch.map(({ type }) => type)));
  await harness.sessions.close();
  expect(harness.bridge.isEnded).toBe(true);
  expect(frames).toEqual(
    expect.arrayContaining(["queue-changed", "turn_cancelled", "session_state"]),
  );
  expect(harness.bridges).toHaveLength(1);
});

test("a session whose Claude a person has ended starts none for what waits, before a person sends", async () => {
  const harness = new SessionHarness();
  const session = await harness.create();
  harness.bridge.say(turnStarted());
  await settled();
  await session.message({ message: "Two" });
  await session.end();
  await settled();
  expect(harness.bridges).toHaveLength(1);
  expect(session.info()).toMatchObject({ state: "exited", queued: 1 });
});
