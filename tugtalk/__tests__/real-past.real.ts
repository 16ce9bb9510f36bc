/** Where a real `claude` stores its conversations, and how they are found, on every measured version. */
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { type Received, startBridge } from "../testing/drivers/bridge-process.ts";
import { expectEnd } from "../testing/real/real-end.ts";
import { conversationSent, untilWritten } from "../testing/real/real-history.ts";
import { atPlace, describeReal } from "../testing/real/real-kill.ts";
import {
  holdReply,
  ofType,
  type RealPlace,
  type RealSession,
  startRealSession,
} from "../testing/real/real-session.ts";

/**
 * Below the project. The whole path of a long one has more than 200 characters, where newer versions shorten
 * the folder name, and less than 255, where 2.1.38 has no folder name.
 */
const FOLDERS = [
  ["with a long path", join("reed".repeat(30), "weir".repeat(15))],
  ["with a long path of characters outside ASCII", join("🪶 Grüße".repeat(10), "ö".repeat(100))],
  ["with a decomposed letter", "cafe\u0301"],
] as const;

/** 2.1.38 does not write down how a message ended. */
const ENDED = { type: "message_complete", stop_reason: "end_turn" };

for (const version of MEASURED_VERSIONS)
  describeReal("past conversations", version, () => {
    for (const [name, folder] of FOLDERS)
      test(`a conversation in a folder ${name} is listed, shown and resumed`, () =>
        atPlace(version, async (place) => {
          await expectFound(await inFolder(place, folder));
        }));

    test("a conversation in the folder that protocol_init names is listed before a start, and resumed", () =>
      atPlace(version, async (place) => {
        const { project } = (await inFolder(place, "named")).home;
        const session = startRealSession(place, { dir: project });
        const { session_id } = await session.next("session_init");
        await begin(session);
        await expectEnd(session);

        const early = startBridge({
          claude: place.claude,
          env: place.home.environment(place.api.url),
          isIsolated: true,
        });
        place.bridges.push(early);
        early.send({ type: "session_list", dir: project });
        expect(await early.next("session_list_result")).toMatchObject({
          sessions: [{ session_id }],
        });
        early.closeInput();
        expect(await early.exited).toBe(0);
        expect(ofType(early.received, "process_started")).toEqual([]);
        await expectAnswered(
          startRealSession(place, { dir: project, session: { mode: "resume", session_id } }),
        );
      }));

    test("a conversation whose id the host writes in upper case is found under either spelling", () =>
      atPlace(version, async (place) => {
        const upper = crypto.randomUUID().toUpperCase();
        const session_id = upper.toLowerCase();
        const session = startRealSession(place, { session: { mode: "new", session_id: upper } });
        expect(await session.next("protocol_ack")).toMatchObject({ session_id });
        await begin(session);
        expect(await ask(session, "session_history", { session_id: upper })).toMatchObject({
          session_id,
          messages: [{ text: "one" }, { text: "First." }, ...(version === "2.1.38" ? [] : [ENDED])],
        });
        await expectEnd(session);

        const choice = { mode: "resume", session_id: upper };
        const again = startRealSession(place, { session: choice });
        expect(await again.next("session_init")).toMatchObject({ session_id, mode: "resume" });
        await expectAnswered(again);
      }));

    // 2.1.38 merges no messages and has no names.
    if (version === "2.1.38") return;
    for (const [name, position] of [
      ["first", 0],
      ["last", 1],
    ] as const)
      test(`a branch at the ${name} of two merged messages has neither of them`, () =>
        atPlace(version, async (place) => {
          const session = startRealSession(place);
          await session.next("session_init");
          await begin(session);
          const merged = await merge(session);
          await untilWritten(session, "Merged.");
          await expectBranch(session, merged[position]);
        }));

    test("a renamed conversation is listed under its last name", () =>
      atPlace(version, async (place) => {
        const session = startRealSession(place);
        await session.next("session_init");
        await begin(session);
        for (const title of ["herons", "otters"])
          expect(await ask(session, "control", { subtype: "rename_session", title })).toMatchObject(
            { ok: true },
          );
        await expectEnd(session);

        const again = startRealSession(place, { session: { mode: "continue" } });
        expect((await ask(again, "session_list"))["sessions"]).toMatchObject([{ title: "otters" }]);
        await again.next("session_init");
        await expectEnd(again);
      }));
  });

async function inFolder(place: RealPlace, folder: string): Promise<RealPlace> {
  const project = join(place.home.project, folder);
  await mkdir(project, { recursive: true });
  return { ...place, home: { ...place.home, project } };
}

async function expectFound(place: RealPlace): Promise<void> {
  const session = startRealSession(place);
  const { session_id } = await session.next("session_init");
  await begin(session);
  expect(await ask(session, "session_list")).toMatchObject({ sessions: [{ session_id }] });
  await expectEnd(session);

  const again = startRealSession(place, { session: { mode: "continue" } });
  expect(await again.next("session_init")).toMatchObject({ session_id, mode: "continue" });
  await expectAnswered(again);
}

async function begin(session: RealSession): Promise<void> {
  session.say("one", "First.");
  await session.turn();
  await untilWritten(session, "First.");
}

async function expectAnswered(session: RealSession): Promise<void> {
  session.say("two", "Second.");
  expect((await session.turn()).end).toMatchObject({ result: "success", text: "Second." });
  const emitted = ["user: one", "assistant: First.", "user: two"];
  expect(conversationSent(session.place.api)).toEqual(emitted);
  await untilWritten(session, "Second.");
  await expectEnd(session);
}

/** Sends two messages while text streams, which Claude answers together; returns their ids. */
async function merge(session: RealSession): Promise<readonly [string, string]> {
  const held = holdReply("streaming", " text");
  session.say("begin", held.reply, "Merged.");
  await session.next(({ text, status }) => text === "streaming" && status === "partial");
  const ids = [crypto.randomUUID(), crypto.randomUUID()] as const;
  for (const message_id of ids)
    session.send({ type: "user_message", text: "more", message_id, delivery: "steer" });
  // Claude reads in order: the answer to a later line shows that it has the earlier ones.
  await ask(session, "permission_mode", { mode: "default" });
  held.release();
  await session.turn();
  expect((await session.turn()).end).toMatchObject({ text: "Merged.", message_ids: [...ids] });
  return ids;
}

async function expectBranch(session: RealSession, at_message: string): Promise<void> {
  session.send({ type: "session_command", command: "fork", at_message });
  await session.next(({ type, mode }) => type === "session_init" && mode === "fork");
  session.say("edited", "Edited.");
  expect((await session.turn()).end).toMatchObject({ result: "success", text: "Edited." });
  expect(conversationSent(session.place.api)).toEqual([
    "user: one",
    "assistant: First.",
    "user: begin",
    "assistant: streaming text",
    "user: edited",
  ]);
  await expectEnd(session, 2);
}

function ask(session: RealSession, type: string, fields = {}): Promise<Received> {
  const id = session.send({ type, ...fields });
  return session.next(({ in_reply_to }) => in_reply_to === id);
}
