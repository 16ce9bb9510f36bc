/** Empty branches of a conversation, with the real CLI of every measured version. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { transcriptFolder } from "../src/history/transcript-folder.ts";
import { expectEnd } from "../testing/real/real-end.ts";
import { conversationSent, untilWritten } from "../testing/real/real-history.ts";
import { atPlace, describeReal, killClaude } from "../testing/real/real-kill.ts";
import {
  type RealPlace,
  type RealSession,
  startRealSession,
} from "../testing/real/real-session.ts";

const FIRST = ["user: one", "assistant: First."];

for (const version of MEASURED_VERSIONS)
  describeReal("a branch in which nothing was said", version, () => {
    test("has branches of its own, which end where it ends", () =>
      atPlace(version, async (place) => {
        const session = await begin(place);
        const at_message = session.say("two", "Second.");
        await session.turn();
        await untilWritten(session, "Second.");
        await fork(session, { at_message });
        await fork(session);
        await expectAnswered(session, "edited");
        expect(conversationSent(place.api)).toEqual([...FIRST, "user: edited"]);
        await expectEnd(session, 3);
      }));

    test("may be killed, and is there again with the next message", () =>
      atPlace(version, async (place) => {
        const session = await begin(place);
        const { session_id } = await fork(session);
        // The others write the transcript of a branch at its first message.
        if (version === "2.1.38") await untilThere(session, session_id);
        await killClaude(session);
        await expectAnswered(session, "two");
        expect(conversationSent(place.api)).toEqual([...FIRST, "user: two"]);
        await expectEnd(session, 3);
      }));
  });

async function begin(place: RealPlace): Promise<RealSession> {
  const session = startRealSession(place);
  await session.next("session_init");
  session.say("one", "First.");
  await session.turn();
  await untilWritten(session, "First.");
  return session;
}

/** Branches from the current conversation; returns the `session_init`. */
async function fork(session: RealSession, fields = {}) {
  session.send({ type: "session_command", command: "fork", ...fields });
  return await session.next(({ type, mode }) => type === "session_init" && mode === "fork");
}

async function expectAnswered(session: RealSession, text: string): Promise<void> {
  session.say(text, "Answered.");
  expect((await session.turn()).end).toMatchObject({ result: "success", text: "Answered." });
}

/** Waits for the transcript of an empty conversation. */
async function untilThere({ place, send, next }: RealSession, id: unknown): Promise<void> {
  const { project, configDir } = place.home;
  const path = join(await transcriptFolder(project, configDir), `${id}.jsonl`);
  while (!existsSync(path)) {
    const asked = send({ type: "session_list" });
    await next(({ in_reply_to }) => in_reply_to === asked);
  }
}
