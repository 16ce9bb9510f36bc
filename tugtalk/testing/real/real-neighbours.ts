/**
 * Two bridges with a real `claude` each, in one folder at one time: neither gets messages of the other
 * or is disturbed by its end.
 */
import { expect, test } from "bun:test";
import { promptText } from "../../simulator/api-request.ts";
import type { ScriptEntry } from "../../simulator/reply-script.ts";
import { expectEnd } from "./real-end.ts";
import { conversationSent, untilWritten } from "./real-history.ts";
import { atPlace, describeReal, killClaude } from "./real-kill.ts";
import {
  allMessages,
  holdReply,
  ofType,
  type RealPlace,
  type RealSession,
  startRealSession,
} from "./real-session.ts";

/** Declares the tests of one version. */
export function realNeighbours(version: string): void {
  describeReal("two bridges in one folder", version, () => {
    listApart(version);
    listOneKilled(version);
    listSameConversation(version);
  });
}

/** A reply for the session with this text, in any order of requests. */
function answerTo(text: string, reply: ScriptEntry): ScriptEntry {
  if (typeof reply === "function" || (typeof reply === "object" && "reply" in reply)) return reply;
  return { when: ({ body }) => promptText(body).includes(text), reply };
}

/** Two sessions that are ready, and their ids. */
async function startTwo(
  place: RealPlace,
  inits: readonly Parameters<typeof startRealSession>[1][] = [{}, {}],
) {
  const pair = inits.map((init) => startRealSession(place, init));
  const started = pair.map(async (session) => {
    const { session_id } = await session.next("session_init");
    return { session, id: String(session_id) };
  });
  const [one, other] = await Promise.all(started);
  if (one === undefined || other === undefined) throw new Error("there are not two sessions");
  return { one, other };
}

/** Starts a text that stops after its first piece; returns the function that continues it. */
async function holdTurn(session: RealSession, text: string) {
  const held = holdReply(`${text}: `, "all of it");
  session.say(text, answerTo(text, held.reply));
  await session.next(({ text: said, status }) => said === `${text}: ` && status === "partial");
  return held.release;
}

async function expectTurn(session: RealSession, text: string): Promise<void> {
  const result = { result: "success", text: `${text}: all of it` };
  expect((await session.turn()).end).toMatchObject(result);
}

function listApart(version: string): void {
  test("two sessions have turns at one time without messages of each other; a third continues the newest", () =>
    atPlace(version, async (place) => {
      const { one, other } = await startTwo(place);
      expect(one.id).not.toBe(other.id);
      const releaseOne = await holdTurn(one.session, "heron");
      const releaseOther = await holdTurn(other.session, "otter");
      releaseOne();
      await expectTurn(one.session, "heron");
      releaseOther();
      await expectTurn(other.session, "otter");
      await expectEnd(one.session);
      await expectEnd(other.session);
      expect(JSON.stringify(one.session.bridge.received)).not.toMatch(`otter|${other.id}`);
      expect(JSON.stringify(other.session.bridge.received)).not.toMatch(`heron|${one.id}`);

      const third = startRealSession(place, { session: { mode: "continue" } });
      expect(await third.next("session_init")).toMatchObject({ session_id: other.id });
      third.say("go on", "Gone on.");
      expect((await third.turn()).end).toMatchObject({ result: "success", text: "Gone on." });
      const emitted = ["user: otter", "assistant: otter: all of it", "user: go on"];
      expect(conversationSent(place.api)).toEqual(emitted);
      await expectEnd(third);
    }));
}

function listOneKilled(version: string): void {
  test("a session goes on with its turn when its neighbour is killed", () =>
    atPlace(version, async (place) => {
      const { one, other } = await startTwo(place);
      await holdTurn(one.session, "heron");
      const release = await holdTurn(other.session, "otter");
      await untilWritten(one.session, "heron");
      expect(ofType(await killClaude(one.session), "turn_cancelled")).toHaveLength(1);
      release();
      await expectTurn(other.session, "otter");

      one.session.say("and on?", "On.");
      expect((await one.session.turn()).end).toMatchObject({ result: "success", text: "On." });
      const inits = ofType(one.session.bridge.received, "session_init");
      expect(inits.map(({ session_id }) => session_id)).toEqual([one.id, one.id]);
      expect(allMessages(place.api)).not.toContain("otter");
      await expectEnd(one.session, 2);
      await expectEnd(other.session);
    }));
}

function listSameConversation(version: string): void {
  test("two sessions that resume the same conversation both get their answers", () =>
    atPlace(version, async (place) => {
      const first = startRealSession(place);
      const { session_id } = await first.next("session_init");
      (await holdTurn(first, "begin"))();
      await expectTurn(first, "begin");
      await expectEnd(first);

      const session = { mode: "resume", session_id };
      const { one, other } = await startTwo(place, [{ session }, { session }]);
      const releaseOne = await holdTurn(one.session, "heron");
      const releaseOther = await holdTurn(other.session, "otter");
      releaseOther();
      await expectTurn(other.session, "otter");
      releaseOne();
      await expectTurn(one.session, "heron");
      for (const { session: either, id } of [one, other]) {
        expect(id).toBe(String(session_id));
        await expectEnd(either);
      }

      const last = startRealSession(place, { session });
      last.say("and now?", "Now.");
      expect((await last.turn()).end).toMatchObject({ result: "success", text: "Now." });
      const emitted = conversationSent(place.api);
      expect(emitted.slice(0, 2)).toEqual(["user: begin", "assistant: begin: all of it"]);
      expect(emitted.at(-1)).toBe("user: and now?");
      await expectEnd(last);
    }));
}
