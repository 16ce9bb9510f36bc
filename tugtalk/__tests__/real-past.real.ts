/** Where a real `claude` stores its conversations, how they are found, and who else may use them, on every measured version. */
import { expect } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { answerTo, holdReply } from "../testing/real/real-replies.ts";
import { conversationSent } from "../testing/real/real-requests.ts";
import type { RealSession } from "../testing/real/real-session.ts";
import { realTests } from "../testing/real/real-tests.ts";

const test = realTests(...MEASURED_VERSIONS);

/** A folder below the project, and how a conversation there is opened again. */
const FOLDERS = [
  ["with a long path of characters outside ASCII", longFolder, "continue"],
  ["with a decomposed letter", (project: string) => join(project, "cafe\u0301"), "resume"],
] as const;

/**
 * Its path has more than 200 characters, where newer versions shorten the folder name, and less than 255,
 * where 2.1.38 has no folder name, wherever the temporary folders are.
 */
function longFolder(project: string): string {
  const parent = join(project, "🪶 Grüße".repeat(8));
  return join(parent, "ö".repeat(230 - parent.length));
}

const begin = (session: RealSession) => session.exchange("one", "First.");

async function expectGoesOn(session: RealSession): Promise<void> {
  await session.exchange("two", "Second.");
  const sent = ["user: one", "assistant: First.", "user: two"];
  expect(conversationSent(session.place.api)).toEqual(sent);
}

for (const [name, folder, mode] of FOLDERS)
  test(`a conversation in a folder ${name} is listed, also before a start, and opened again by ${mode}`, async (place) => {
    const dir = folder(place.home.project);
    await mkdir(dir, { recursive: true });
    const session = await place.open({ dir });
    const { id: session_id } = session;
    await begin(session);
    await session.ask({ type: "session_list" }, { sessions: [{ session_id }] });
    await session.end();
    const early = place.startSilent();
    await early.ask({ type: "session_list", dir }, { sessions: [{ session_id }] });
    await early.end(0);
    const choice = mode === "resume" ? { mode, session_id } : { mode };
    await expectGoesOn(await place.open({ dir, session: choice }, { session_id, mode }));
  });

test("a conversation whose id the host writes in upper case is found under either spelling", async (place) => {
  const upper = crypto.randomUUID().toUpperCase();
  const session_id = upper.toLowerCase();
  const session = await place.open({ session: { mode: "new", session_id: upper } });
  expect(session.all("protocol_ack")).toMatchObject([{ session_id }]);
  await begin(session);
  // 2.1.38 does not write down how a message ended.
  const ended = place.version === "2.1.38" ? [] : [{ type: "message_complete" }];
  await session.ask(
    { type: "session_history", session_id: upper },
    { session_id, messages: [{ text: "one" }, { text: "First." }, ...ended] },
  );
  await session.end();
  const choice = { session: { mode: "resume", session_id: upper } };
  await expectGoesOn(await place.open(choice, { session_id, mode: "resume" }));
});

// 2.1.38 merges no messages and has no names.
const testNewer = realTests("2.1.197", "2.1.330");

for (const [name, position] of [
  ["first", 0],
  ["last", 1],
] as const)
  testNewer(`a branch at the ${name} of two merged messages has neither of them`, async (place) => {
    const session = await place.open();
    await begin(session);
    const { release } = await session.hold("begin", "Merged.");
    const message_ids = await session.steer("more", "more");
    release();
    await session.turn();
    await session.turn({ text: "Merged.", message_ids });
    await session.untilWritten("Merged.");
    await session.command("fork", { at_message: message_ids[position] }, { mode: "fork" });
    session.say("edited", "Edited.");
    await session.turn("Edited.");
    expect(conversationSent(place.api)).toEqual([
      ...["user: one", "assistant: First.", "user: begin", "assistant: begun and ended"],
      "user: edited",
    ]);
    await session.end(2);
  });

testNewer("a renamed conversation is listed under its last name", async (place) => {
  const session = await place.open();
  await begin(session);
  for (const title of ["herons", "otters"]) await session.control("rename_session", { title });
  await session.end();
  const again = await place.open({ session: { mode: "continue" } });
  await again.ask({ type: "session_list" }, { sessions: [{ title: "otters" }] });
});

/**
 * Starts a text in one of several sessions, whose requests come in any order; returns the function that ends
 * it.
 */
async function holdTurn(session: RealSession, text: string) {
  const { reply, release } = holdReply(`${text}: `, "all of it");
  session.say(text, answerTo(text, reply));
  await session.begun(`${text}: `);
  return release;
}

const expectTurn = (session: RealSession, text: string) => session.turn(`${text}: all of it`);

testNewer(
  "two sessions in one folder have turns at one time without messages of each other; a third continues the newest",
  async (place) => {
    const [one, other] = await Promise.all([place.open(), place.open()]);
    expect(one.id).not.toBe(other.id);
    const releaseOne = await holdTurn(one, "heron");
    const releaseOther = await holdTurn(other, "otter");
    releaseOne();
    await expectTurn(one, "heron");
    releaseOther();
    await expectTurn(other, "otter");
    await one.end();
    await other.end();
    expect(JSON.stringify(one.bridge.received)).not.toMatch(`otter|${other.id}`);
    expect(JSON.stringify(other.bridge.received)).not.toMatch(`heron|${one.id}`);

    const newest = { session_id: other.id };
    const third = await place.open({ session: { mode: "continue" } }, newest);
    third.say("go on", "Gone on.");
    await third.turn("Gone on.");
    const sent = ["user: otter", "assistant: otter: all of it", "user: go on"];
    expect(conversationSent(place.api)).toEqual(sent);
  },
);

testNewer(
  "two sessions that resume the same conversation both get their answers",
  async (place) => {
    const first = await place.open();
    const { id: session_id } = first;
    await begin(first);
    await first.end();
    const choice = { session: { mode: "resume", session_id } };
    const open = () => place.open(choice, { session_id });
    const [one, other] = await Promise.all([open(), open()]);
    const releaseOne = await holdTurn(one, "heron");
    const releaseOther = await holdTurn(other, "otter");
    releaseOther();
    await expectTurn(other, "otter");
    releaseOne();
    await expectTurn(one, "heron");
    await one.end();
    await other.end();

    const last = await open();
    last.say("and now?", "Now.");
    await last.turn("Now.");
    const sent = conversationSent(place.api);
    expect(sent.slice(0, 2)).toEqual(["user: one", "assistant: First."]);
    expect(sent.at(-1)).toBe("user: and now?");
  },
);
