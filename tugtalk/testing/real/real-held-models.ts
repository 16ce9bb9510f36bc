/** A model change during a turn of a real `claude`. */
import { expect, test } from "bun:test";
import { expectEnd } from "./real-end.ts";
import { commandThrough, startGate } from "./real-gate.ts";
import { conversationSent, untilWritten } from "./real-history.ts";
import { atPlace, describeReal } from "./real-kill.ts";
import { callTool, ofType, type RealSession, startRealSession } from "./real-session.ts";

/** The ways to choose a model in this version, and its full name of `haiku`. */
export type Choices = { readonly haiku: string; readonly ways: readonly (keyof typeof WAYS)[] };

const WAYS = {
  model_change: ({ send }: RealSession) => send({ type: "model_change", model: "haiku" }),
  apply_flag_settings: ({ send }: RealSession) =>
    send({ type: "control", subtype: "apply_flag_settings", settings: { model: "haiku" } }),
};

/** Declares the tests of one version. */
export function realHeldModels(version: string, { haiku, ways }: Choices): void {
  describeReal("a model that is chosen in a turn", version, () => {
    test.each(ways)("by %s is in force in the next turn, and nothing of the turn is lost", (way) =>
      atPlace(version, async (place) => {
        using gate = startGate();
        const session = startRealSession(place, { options: { allowed_tools: ["Bash"] } });
        const { session_id } = await session.next("session_init");
        session.say("begin", callTool("Bash", { command: commandThrough(gate) }), "Ended.");
        await gate.reached;
        const id = WAYS[way](session);
        expect(await session.next("control_result")).toMatchObject({ ok: true, in_reply_to: id });
        gate.open();
        expect((await session.turn()).end).toMatchObject({ result: "success", text: "Ended." });

        session.say("and on?", "On.");
        const { end, messages } = await session.turn();
        expect(end).toMatchObject({ result: "success", text: "On." });
        expect(ofType(messages, "system_metadata")).toMatchObject([{ model: haiku }]);
        await untilWritten(session, "On.");
        await expectEnd(session);

        const resumed = startRealSession(place, { session: { mode: "resume", session_id } });
        resumed.say("what was said?", "That.");
        expect((await resumed.turn()).end).toMatchObject({ result: "success", text: "That." });
        const said = conversationSent(place.api).filter((line) => !line.includes("<command-"));
        expect(said).toContain("assistant: Ended.");
        expect(said).toContain("assistant: On.");
        await expectEnd(resumed);
      }),
    );
  });
}
