/**
 * Stop on a host that is killed, and on a stopped bridge: the host keeps the waiting messages until a client
 * has taken them. Two clients follow each session.
 */
import { afterAll, expect, test } from "bun:test";
import { endHosts, startHost, type TestHost } from "../../testing/drivers/host-process.ts";
import { descendantsOf } from "../../testing/drivers/processes.ts";
import { expectSameForAll, resumeAll } from "./support/ended-session.ts";
import { type ReachedSession, reachState, SESSION_STATES } from "./support/session-states.ts";

afterAll(endHosts);

const WORKING = SESSION_STATES.find(({ name }) => name === "working with messages in the queue");
const ATTACHMENTS = [{ filename: "a.txt", content: "an attachment", media_type: "text/plain" }];

/** A session with two waiting messages, the first with an attachment, and a steering message. */
async function working(host: TestHost): Promise<ReachedSession> {
  if (WORKING === undefined) throw new Error("there is no such state");
  const reached = await reachState(WORKING, (session) => host.createSession(session));
  await reached.session.message("steer", { delivery: "steer", attachments: ATTACHMENTS });
  return reached;
}

/** Sends the interrupt without waiting for its answer. */
async function stop({ session }: ReachedSession): Promise<void> {
  const socket = await session.host.socket();
  void socket.run("interrupt", { s: session.id }).catch(() => undefined);
}

async function listOf({ session }: ReachedSession, name: "queue" | "returned") {
  const { body } = await session.run(name);
  return body[name] as readonly { readonly message_id: string; readonly message: string }[];
}

/** The event that both clients have received when the host is killed; `nothing`: at once. */
const MOMENTS = ["nothing", "message_returned", "message_status", "turn_cancelled"] as const;

test.each(MOMENTS)(
  "a host that is killed in a Stop, after the event %s, has each message once, with its attachments",
  async (moment) => {
    const host = await startHost();
    const reached = await working(host);
    const { session, followers } = reached;
    await stop(reached);
    if (moment === "message_returned") await followers[1].next(moment);
    if (moment === "message_status")
      await followers[0].next(({ t, d }) => t === moment && d["status"] === "cancelled");
    if (moment === "turn_cancelled")
      await followers[0].next(({ t }) => t === moment || t === "turn_complete");
    await host.kill();
    await Promise.all(followers.map((follower) => follower.hasLost()));
    await host.start();
    await resumeAll(reached);
    const [queue, returned] = [await listOf(reached, "queue"), await listOf(reached, "returned")];
    const kept = [...queue, ...returned].map(({ message }) => message);
    expect(kept.toSorted()).toEqual(["second", "steer", "third"]);
    for (const { message_id, message } of returned) {
      const { status, body } = await session.run("take_returned", { message_id });
      expect({ status, body }).toMatchObject({ status: 200, body: { message } });
      expect(body["attachments"]).toEqual(message === "third" ? [] : ATTACHMENTS);
    }
    expect(await listOf(reached, "returned")).toEqual([]);
    await expectSameForAll(reached);
    reached.control.close();
  },
  60_000,
);

test("a Stop that a bridge does not answer has returned the waiting messages, which one of two clients takes", async () => {
  const host = await startHost();
  const reached = await working(host);
  const { session, followers } = reached;
  const bridges = descendantsOf(host.pid);
  for (const pid of bridges) process.kill(pid, "SIGSTOP");
  await stop(reached);
  await Promise.all(
    followers.map((follower) =>
      follower.next(({ t, d }) => t === "message_returned" && d["message"] === "third"),
    ),
  );
  expect(followers.map(({ state }) => state.returned.map(({ text }) => text))).toEqual([
    ["second", "third"],
    ["second", "third"],
  ]);
  expect(await listOf(reached, "queue")).toEqual([]);
  const [second] = await listOf(reached, "returned");
  const message_id = second?.message_id ?? "";
  const socket = await host.socket();
  const takes = await Promise.all([
    session.run("take_returned", { message_id }).then(({ status }) => status),
    socket
      .run("take_returned", { s: session.id, message_id })
      .then((answer) => (answer["ok"] === true ? 200 : answer["status"])),
  ]);
  expect(takes.toSorted()).toEqual([200, 409]);
  await Promise.all(followers.map((follower) => follower.next("message_taken")));
  await host.restart();
  await Promise.all(followers.map((follower) => follower.hasLost()));
  await resumeAll(reached);
  expect((await listOf(reached, "returned")).map(({ message }) => message)).toContain("third");
  expect((await session.run("take_returned", { message_id })).status).toBe(409);
  for (const pid of bridges) process.kill(pid, "SIGCONT");
  await expectSameForAll(reached);
  reached.control.close();
}, 60_000);
