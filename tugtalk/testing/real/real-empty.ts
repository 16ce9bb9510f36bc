/** A real `claude` that is killed before its conversation is on disk. */
import { expect, test } from "bun:test";
import { expectEnd } from "./real-end.ts";
import { conversationSent } from "./real-history.ts";
import { atPlace, begin, describeReal, killClaude } from "./real-kill.ts";
import { ofType, startedProcesses } from "./real-session.ts";

/** Declares the test of one version. */
export function realEmpty(version: string): void {
  describeReal("killed right after /clear", version, () => {
    test("a conversation that is not on disk goes on with the next message only", () =>
      atPlace(version, async (place) => {
        const session = await begin(place);
        session.say("/clear");
        await session.turn();
        await killClaude(session);
        session.say("which bird?", "None.");
        const { session_id } = await session.next("session_init");
        expect((await session.turn()).end).toMatchObject({ result: "success", text: "None." });
        expect(ofType(session.bridge.received, "system_metadata").at(-1)).toMatchObject({
          session_id,
        });
        const said = conversationSent(place.api).filter((line) => !line.includes("<command-"));
        expect(said.at(-1)).toBe("user: which bird?");
        expect(JSON.stringify(said)).not.toContain("heron");
        expect(ofType(session.bridge.received, "error")).toEqual([]);
        await expectEnd(session, startedProcesses(session.bridge).length);
      }));
  });
}
