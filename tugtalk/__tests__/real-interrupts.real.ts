/** Interrupts of a real `claude` while no model call and no tool runs, or right behind their message. */
import { expect } from "bun:test";
import { promptText } from "../simulator/api-request.ts";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import {
  agentInput,
  as,
  callTool,
  type Gate,
  holdWhole,
  startGate,
} from "../testing/real/real-replies.ts";
import { ofType, type RealPlace, type RealSession } from "../testing/real/real-session.ts";
import { realTests } from "../testing/real/real-tests.ts";

const test = realTests(...MEASURED_VERSIONS);

function startWithStopHook(place: RealPlace, command: string): RealSession {
  const hooks = { Stop: [{ hooks: [{ type: "command", command }] }] };
  return place.start({ options: { settings: { hooks } } });
}

test("an interrupt during a Stop hook ends the turn as cancelled, and the next turn works", async (place) => {
  using gate = startGate();
  const session = startWithStopHook(place, gate.command);
  session.say("hello", "Hello.");
  await gate.reached;
  session.send({ type: "interrupt" });
  const { messages } = await session.turn({ result: "cancelled" });
  expect(ofType(messages, "control_result")).toMatchObject([{ ok: true }]);
  gate.open();
  session.say("and on?", "On.");
  await session.turn("On.");
});

test("a turn that a Stop hook prevents by itself is a success", async (place) => {
  const session = startWithStopHook(place, `echo '{"continue":false}'`);
  session.say("hello", "Hello.");
  await session.turn("Hello.");
});

test("an interrupt right behind its message ends the turn, and the next one works", async (place) => {
  const session = await place.open();
  // Depending on timing, the model is called before the interrupt, or never.
  session.say("never mind", {
    // An unanswered message is sent again before the next one.
    when: ({ body }) => promptText(body).trimEnd().endsWith("never mind"),
    reply: holdWhole("begun").reply,
  });
  session.send({ type: "interrupt" });
  await session.turn({ result: "cancelled" });
  session.say("hello again", "Hello.");
  await session.turn("Hello.");
});

const testNewest = realTests("2.1.330");

/** A session between turns whose background agent waits at a gate. */
async function startAgent(place: RealPlace, gate: Gate): Promise<RealSession> {
  const session = place.start({ options: { allowed_tools: ["Bash"] } });
  const task = "Count the birds.";
  const work = callTool("Bash", { command: gate.command });
  const own = [as(task, work), as(task, "Three.")];
  session.say("go", callTool("Agent", agentInput(task)), ...own, "Begun.", "Woken.");
  await session.turn("Begun.");
  await gate.reached;
  return session;
}

testNewest(
  "an interrupt leaves a background agent running, whose end wakes Claude",
  async (place) => {
    using gate = startGate();
    const session = await startAgent(place, gate);
    await session.ask({ type: "interrupt" }, { subtype: "interrupt", ok: true });
    gate.open();
    await session.next("task_notification", { status: "completed" });
    await session.turn("Woken.");
  },
);

testNewest("an interrupt with include_background stops a background agent", async (place) => {
  using gate = startGate();
  const session = await startAgent(place, gate);
  const in_reply_to = session.send({ type: "interrupt", include_background: true });
  await session.next("task_notification", { status: "stopped" });
  await session.next("control_result", { subtype: "interrupt", ok: true, in_reply_to });
});
