/** How a session goes on after its Claude, its bridge or the host has ended. */
import { describe, expect, test } from "bun:test";
import { latestEntries } from "../../../client/entry-pages.ts";
import type { HostSession } from "../../api/host-session.ts";
import {
  approval,
  partial,
  processExit,
  prompt,
  status,
  turnComplete,
  turnStarted,
  wholeTurn,
} from "./support/bridge-words.ts";
import type { FakeBridge } from "./support/fake-bridge.ts";
import {
  entriesOf,
  openInTurn,
  openSession,
  reducedOf,
  SessionHarness,
  settled,
} from "./support/session-harness.ts";

type Told = Readonly<Record<string, unknown>>;

async function toldBy(session: HostSession): Promise<readonly Told[]> {
  return (await entriesOf(session)).map(({ type, data }) => ({ type, ...JSON.parse(data) }));
}

/** How often each turn, prompt and message has ended. */
async function endsOf(session: HostSession) {
  const told = await toldBy(session);
  const count = (types: readonly string[], id: string, value: unknown) =>
    told.filter((one) => types.includes(String(one["type"])) && one[id] === value).length;
  const ids = (type: string, id: string) =>
    told.filter((one) => one["type"] === type).map((one) => one[id]);
  return {
    turns: ids("turn_started", "turn_id").map((id) =>
      count(["turn_complete", "turn_cancelled"], "turn_id", id),
    ),
    prompts: ids("control_request_forward", "request_id").map((id) =>
      count(["control_request_resolved", "control_request_cancel"], "request_id", id),
    ),
    messages: ids("message_sent", "message_id").map(
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
  test.each(Object.entries(STATES))(
    "ends all that was open, and adds nothing when it starts a third time: %s",
    async (_, reach) => {
      const { harness, session } = await openSession();
      await reach({ bridge: harness.bridge, session });
      await settled();
      const before = await session.queue();
      await harness.restart();
      const again = harness.sessions.get(session.id);
      const { state } = await again.snapshot();
      expect(again.info()).toMatchObject({ state: "exited", pending: 0, queued: before.length });
      expect(await again.queue()).toEqual(before);
      expect(state.isQueueHeld).toBe(before.length > 0);
      const { turns, prompts, messages } = await endsOf(again);
      expect([...turns, ...prompts, ...messages].filter((ends) => ends !== 1)).toEqual([]);
      expect(state.prompts).toEqual([]);
      expect(state.backgroundTasks.filter(({ status: word }) => word === "running")).toEqual([]);
      expect(JSON.stringify(state)).not.toMatch(/"(?:running|streaming|waiting)"/);
      expect(state).toEqual(latestEntries(await reducedOf(again), 50));
      const { end } = await again.range();
      await harness.restart();
      expect((await harness.sessions.get(session.id).range()).end).toEqual(end);
    },
  );

  test("holds nothing more once the last message that was held is deleted", async () => {
    const { harness, session } = await openSession();
    await harness.say(turnStarted());
    const { message_id } = await session.message({ message: "Two" });
    await harness.restart();
    const again = harness.sessions.get(session.id);
    await again.deleteQueued(message_id);
    expect((await again.snapshot()).state.isQueueHeld).toBe(false);
    expect(await again.message({ message: "Three" })).toMatchObject({ status: "sent" });
  });

  test("starts a new conversation where nothing was said in the old one", async () => {
    const harness = await SessionHarness.open();
    const { id } = await harness.create();
    await harness.restart();
    await harness.sessions.get(id).message({ message: "One" });
    expect(harness.bridge.sentOf("protocol_init")).toMatchObject([{ session: { mode: "new" } }]);
  });

  test("knows how its prompts were closed", async () => {
    const { harness, session } = await openSession();
    await harness.say(turnStarted(), prompt("r1", "t1"), prompt("r2", "t1"));
    await session.answer(approval("r1", "deny"), { name: "desk" });
    await harness.restart();
    const again = harness.sessions.get(session.id);
    const answer = (id: string) =>
      again.answer(approval(id, "allow"), {}).catch((error: unknown) => error);
    expect(await answer("r1")).toMatchObject({
      status: 409,
      details: { outcome: "deny", by: "desk" },
    });
    expect(await answer("r2")).toMatchObject({
      status: 409,
      details: { outcome: "cancelled", reason: "exited" },
    });
    expect(await answer("r3")).toMatchObject({ status: 404 });
    for (const requestId of ["r1", "r2"])
      expect(await again.promptOfCall(`toolu_${requestId}`)).toMatchObject({ requestId });
  });
});

test("a Claude that has crashed too often holds the queue, until a person sends and another bridge resumes the conversation", async () => {
  const { harness, session } = await openInTurn();
  await session.message({ message: "Two" });
  await harness.say(processExit(false), { type: "session_state", state: "exited" });
  expect(harness.bridge.isEnded).toBe(true);
  expect(session.info()).toMatchObject({ state: "exited", queued: 1 });
  expect((await session.snapshot()).state.isQueueHeld).toBe(true);
  const [waiting] = await session.queue();
  expect(await session.sendQueued(waiting?.message_id ?? "", "queue")).toMatchObject({
    status: "sent",
  });
  expect(harness.bridge.sentOf("protocol_init")).toMatchObject([{ session: { mode: "resume" } }]);
});

describe("a bridge that ends without a word", () => {
  test("leaves nothing open, and another one resumes for the waiting messages", async () => {
    const { harness, session } = await openSession();
    const { message_id } = await session.message({ message: "One" });
    await harness.say(turnStarted("t1", [message_id]), prompt("r1", "t1"));
    await session.message({ message: "Two" });
    await harness.endBridge({ isConfirmed: true, reason: "the bridge was ended by SIGKILL" });
    const { turns, prompts, messages } = await endsOf(session);
    expect([turns, prompts, messages[0]]).toEqual([[1], [1], 1]);
    expect(harness.bridges).toHaveLength(2);
    expect(harness.bridge.sentOf("user_message").map(({ text }) => text)).toEqual(["Two"]);
    expect(await toldBy(session)).toContainEqual(
      expect.objectContaining({ type: "host_error", code: "bridge_ended" }),
    );
  });

  test("is not replaced more than three times in a minute by itself", async () => {
    const { harness, session } = await openSession();
    await harness.say(turnStarted());
    for (const message of ["A", "B", "C", "D", "E"]) await session.message({ message });
    for (let end = 0; end < 5; end += 1) {
      await harness.endBridge();
    }
    expect(harness.bridges).toHaveLength(4);
    expect((await session.queue()).map(({ message }) => message)).toEqual(["D", "E"]);
    expect((await session.snapshot()).state.isQueueHeld).toBe(true);
    expect(session.info().last_error).toMatch(/three times/);
  });

  test("closes the prompt that is being answered", async () => {
    const { harness, session } = await openSession();
    await harness.say(turnStarted(), prompt("r1", "t1"));
    const { bridge } = harness;
    bridge.answers.set("tool_approval", (usual) => {
      bridge.end();
      return usual;
    });
    const answer = session.answer(approval("r1", "allow"), {});
    expect(await answer.catch((error: unknown) => error)).toMatchObject({ status: 409 });
    await settled();
    expect(await session.prompts()).toEqual([]);
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
    const harness = await SessionHarness.open();
    harness.start = [NO_CLAUDE];
    expect(await harness.create().catch((error: unknown) => error)).toMatchObject({
      status: 503,
      code: "no_claude",
    });
    expect(harness.sessions.list()).toEqual([]);
  });

  test("leaves the message for which it was started in the queue, which is held", async () => {
    const { harness, session } = await openSession();
    await harness.endBridge();
    harness.start = [NO_CLAUDE];
    expect(await session.message({ message: "One" })).toMatchObject({
      status: "queued",
      position: 1,
    });
    expect(session.info()).toMatchObject({ state: "failed", last_error: "there is no claude" });
    expect((await session.snapshot()).state.isQueueHeld).toBe(true);
  });
});

test("a host that ends closes every Claude, and holds the waiting messages", async () => {
  const { harness, session } = await openSession();
  await harness.say(turnStarted());
  await session.message({ message: "Two" });
  const frames: string[] = [];
  session.listen((batch) => frames.push(...batch.map(({ type }) => type)));
  await harness.sessions.close();
  expect(harness.bridge.isEnded).toBe(true);
  expect(frames).toEqual(
    expect.arrayContaining(["queue_changed", "turn_cancelled", "session_state"]),
  );
  expect(harness.bridges).toHaveLength(1);
});

test("a session whose Claude a person has ended starts none for waiting messages, before a person sends", async () => {
  const { harness, session } = await openSession();
  await harness.say(turnStarted());
  await session.message({ message: "Two" });
  await session.end();
  await settled();
  expect(harness.bridges).toHaveLength(1);
  expect(session.info()).toMatchObject({ state: "exited", queued: 1 });
});
