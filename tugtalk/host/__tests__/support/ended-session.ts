/** The properties of a session whose host has ended in one of its states, and has been restarted. */
import { expect } from "bun:test";
import { latestEntries } from "../../../client/entry-pages.ts";
import type { Fields } from "../../../testing/drivers/host-clients.ts";
import {
  byEvents,
  type Entry,
  JournalFollower,
} from "../../../testing/drivers/journal-follower.ts";
import { LATEST_TURNS } from "../../sessions/latest-turns.ts";
import { connectAll, type FollowedSession, type ReachedSession, say } from "./session-states.ts";

/** Both clients resume after their last entry, and get all entries of the host. */
export async function resumeAll(reached: ReachedSession): Promise<void> {
  await connectAll(reached);
  await catchUp(reached);
}

/** Both clients have all entries of the journal. */
export async function catchUp({ session, followers }: FollowedSession): Promise<void> {
  const { body } = await session.run("snapshot");
  const { seq } = body["cursor"] as { readonly seq: number };
  await Promise.all(followers.map((follower) => follower.reaches(seq)));
}

/** No turn or prompt is open, and no queued message is lost. */
export async function expectNothingOpen(reached: ReachedSession): Promise<void> {
  const { session, followers, inFlight, waiting } = reached;
  const { body: info } = await session.run("session");
  expect(info).toMatchObject({ state: "exited", pending: 0, queued: waiting.length });
  expect((await session.run("pending")).body).toEqual({ pending: [] });
  const { queue } = (await session.run("queue")).body as { readonly queue: readonly Fields[] };
  expect(queue.map(({ message_id, message }) => [message_id, message])).toEqual(
    waiting.map(({ id, text }) => [id, text]),
  );
  const [{ entries, state }] = followers;
  // An empty queue need not be held.
  if (waiting.length > 0) expect(state.isQueueHeld).toBe(true);
  expect(state.prompts).toEqual([]);
  expect(state.openEntries.filter(isRunning)).toEqual([]);
  expect(openTurns(entries)).toEqual([]);
  for (const { id } of inFlight) expect(finalStatuses(entries, id)).toHaveLength(1);
}

function isRunning(entry: object): boolean {
  return "status" in entry && entry.status === "running";
}

/** Ids of turns that have begun and not ended. */
function openTurns(entries: readonly Entry[]): unknown[] {
  const ids = (types: readonly string[]) =>
    entries.filter(({ t }) => types.includes(t)).map(({ d }) => d["turn_id"]);
  const ended = ids(["turn_complete", "turn_cancelled"]);
  return ids(["turn_started"]).filter((id) => !ended.includes(id));
}

/** The final receipts of a message. */
export function finalStatuses(entries: readonly Entry[], messageId: string): unknown[] {
  return entries
    .filter(({ t, d }) => t === "message_status" && d["message_id"] === messageId)
    .map(({ d }) => d["status"])
    .filter((status) => status !== "queued" && status !== "started");
}

/**
 * The next message resumes the conversation, if there was one, and takes the queue with it, oldest first.
 * Messages that were in flight do not reach Claude again.
 */
export async function expectGoesOn(reached: ReachedSession): Promise<void> {
  const { session, followers, waiting } = reached;
  const before = userTexts(session.claudeInput);
  const { body } = await session.run("session");
  const queued = waiting.map(({ heard }) => heard);
  session.play([]);
  const again = await say(reached, "again");
  await Promise.all(
    followers.map((follower) =>
      follower.next(
        ({ t, d }) =>
          t === "message_status" && d["message_id"] === again && d["status"] === "completed",
      ),
    ),
  );
  expect(session.claudes).toHaveLength(2);
  // A Claude that has not begun leaves no conversation.
  const { claude_session_id } = body;
  const resumed = claude_session_id === undefined ? [] : [String(claude_session_id)];
  const { args = [] } = session.claudes[1] ?? {};
  expect(args.flatMap((arg) => /^--resume=(.*)$/.exec(arg)?.[1] ?? [])).toEqual(resumed);
  expect(userTexts(session.claudeInput)).toEqual([...before, ...queued, "again"]);
}

/** The texts of the user messages among lines of Claude's stdin. */
export function userTexts(lines: readonly Fields[]): string[] {
  return lines.filter(({ type }) => type === "user").map(({ message }) => textOf(message));
}

function textOf(message: unknown): string {
  const { content } = message as { readonly content: string | readonly Fields[] };
  if (typeof content === "string") return content;
  return content
    .filter(({ type }) => type === "text")
    .map(({ text }) => String(text))
    .join("");
}

/** A new client gets the same as the others, and the snapshot has the latest turns of that. */
export async function expectSameForAll(reached: FollowedSession): Promise<void> {
  await catchUp(reached);
  const { session, followers } = reached;
  const { host, id } = session;
  const late = new JournalFollower(byEvents);
  await late.connect({ url: host.url, authorization: host.authorization, id });
  await late.reaches(followers[0].cursor.seq);
  late.close();
  for (const follower of followers) expect(follower.entries).toEqual(late.entries);
  const { body } = await session.run("snapshot");
  expect(body["cursor"]).toEqual(late.cursor);
  expect(body["state"]).toEqual(
    JSON.parse(JSON.stringify(latestEntries(late.state, LATEST_TURNS))),
  );
}
