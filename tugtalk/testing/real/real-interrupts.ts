/** Interrupts of a real `claude` while no model call and no tool runs. */
import { expect, test } from "bun:test";
import type { Received } from "../drivers/bridge-process.ts";
import { expectEnd } from "./real-end.ts";
import { commandThrough, startGate } from "./real-gate.ts";
import { atPlace, describeReal } from "./real-kill.ts";
import {
  callTool,
  ofType,
  type RealPlace,
  type RealSession,
  startRealSession,
} from "./real-session.ts";
import { replies, TASK } from "./real-work.ts";

/** Declares the tests of one version about the hooks that run when a turn stops. */
export function realStopHooks(version: string): void {
  describeReal("an interrupt and a Stop hook", version, () => {
    test("an interrupt during a Stop hook ends the turn as cancelled, and the next turn works", () =>
      atPlace(version, async (place) => {
        using gate = startGate();
        const session = startWithStopHook(place, commandThrough(gate));
        session.say("hello", "Hello.");
        await gate.reached;
        session.send({ type: "interrupt" });
        const { end, messages } = await session.turn();
        expect(end).toMatchObject({ result: "cancelled" });
        expect(ofType(messages, "control_result")).toMatchObject([{ ok: true }]);

        gate.open();
        session.say("and on?", "On.");
        expect((await session.turn()).end).toMatchObject({ result: "success", text: "On." });
        await expectEnd(session);
      }));

    test("a turn that a Stop hook prevents by itself is a success", () =>
      atPlace(version, async (place) => {
        const session = startWithStopHook(place, `echo '{"continue":false}'`);
        session.say("hello", "Hello.");
        expect((await session.turn()).end).toMatchObject({ result: "success", text: "Hello." });
        await expectEnd(session);
      }));
  });
}

function startWithStopHook(place: RealPlace, command: string): RealSession {
  const hooks = { Stop: [{ hooks: [{ type: "command", command }] }] };
  return startRealSession(place, { options: { settings: { hooks } } });
}

/** Declares the tests of one version about an interrupt while only a background agent works. */
export function realBackgroundInterrupts(version: string): void {
  describeReal("an interrupt between turns", version, () => {
    test("an interrupt leaves a background agent running, whose end wakes Claude", () =>
      atPlace(version, async (place) => {
        using gate = startGate();
        const session = await startAgent(place, gate);
        const id = session.send({ type: "interrupt" });
        const answer = { subtype: "interrupt", ok: true, in_reply_to: id };
        expect(await session.next("control_result")).toMatchObject(answer);
        gate.open();
        expect(await session.next(isTaskEnd)).toMatchObject({ status: "completed" });
        expect((await session.turn()).end).toMatchObject({ result: "success", text: "Woken." });
        await expectEnd(session);
      }));

    test("an interrupt with include_background stops a background agent", () =>
      atPlace(version, async (place) => {
        using gate = startGate();
        const session = await startAgent(place, gate);
        const id = session.send({ type: "interrupt", include_background: true });
        expect(await session.next(isTaskEnd)).toMatchObject({ status: "stopped" });
        const answer = { subtype: "interrupt", ok: true, in_reply_to: id };
        expect(await session.next("control_result")).toMatchObject(answer);
        await expectEnd(session);
      }));
  });
}

function isTaskEnd({ type }: Received): boolean {
  return type === "task_notification";
}

/** A session between turns whose background agent waits at a gate. */
async function startAgent(
  place: RealPlace,
  gate: ReturnType<typeof startGate>,
): Promise<RealSession> {
  const session = startRealSession(place, { options: { allowed_tools: ["Bash"] } });
  const agent = { description: "count", prompt: TASK, subagent_type: "general-purpose" };
  const work = callTool("Bash", { command: commandThrough(gate) });
  session.say(
    "count them",
    callTool("Agent", agent),
    ...replies([work, "Three."], ["Begun.", "Woken."]),
  );
  expect((await session.turn()).end).toMatchObject({ result: "success", text: "Begun." });
  await gate.reached;
  return session;
}
