/** A host that is killed and restarted, over real sockets. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { initialSession, reduceSession } from "../../client/client.ts";
import { HELD } from "../../testing/drivers/bridge-states.ts";
import type { SentEvent } from "../../testing/drivers/host-clients.ts";
import { askingTurn } from "../../testing/drivers/host-conversations.ts";
import {
  endHosts,
  startHost,
  type TestHost,
  type TestHostSession,
} from "../../testing/drivers/host-process.ts";

let host: TestHost;
let finished: TestHostSession;
let asking: TestHostSession;
let streaming: TestHostSession;
/** The entries that clients had received before the host was killed, by session. */
const seen = new Map<TestHostSession, readonly SentEvent[]>();
let signedIn = "";

/** One host, killed once with three sessions in different states. */
beforeAll(async () => {
  host = await startHost();
  const signIn = await fetch(host.signInUrl, { redirect: "manual" });
  signedIn = signIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  finished = await host.createSession({ title: "finished" });
  asking = await host.createSession({ conversation: askingTurn({ id: "p" }) });
  streaming = await host.createSession({ conversation: HELD });
  const readers = new Map([finished, asking, streaming].map((one) => [one, one.events()]));
  await finished.message("once", { client_msg_id: "mine" });
  await asking.message("go");
  await streaming.message("go");
  await (await readers.get(finished))?.next("message_status");
  await (await readers.get(finished))?.next(
    ({ type, data }) => type === "session_state" && data["state"] === "idle",
  );
  await (await readers.get(asking))?.next("control_request_forward");
  await asking.message("first in the queue");
  await asking.message("second in the queue");
  await (await readers.get(streaming))?.next(({ data }) => data["status"] === "partial");
  await host.kill();
  for (const [session, reader] of readers) {
    await (await reader).ended;
    seen.set(session, (await reader).events);
  }
  await host.start();
});
afterAll(endHosts);

const entries = (events: readonly SentEvent[]) => events.filter(({ id }) => id !== undefined);

test("everything that a client has seen is in the journal after the host was killed, with the same cursors", async () => {
  for (const [session, events] of seen) {
    const before = entries(events);
    expect(before.length).toBeGreaterThan(5);
    const { id: last } = before.at(-1) ?? {};
    const again = await session.events();
    await again.next(({ id }) => id === last);
    expect(entries(again.events).slice(0, before.length)).toEqual([...before]);
  }
});

test("the snapshot after a restart is the state that a client reduces from the whole journal", async () => {
  for (const session of seen.keys()) {
    const { body } = await session.run("snapshot");
    const { cursor, state } = Object(body);
    const reader = await session.events();
    await reader.next(({ id }) => id === `${cursor.epoch}.${cursor.seq}`);
    const reduced = entries(reader.events).reduce((known, { id = "", type, data }) => {
      const [e, q] = id.split(".");
      const frame = { s: session.id, e: Number(e), q: Number(q), t: type, d: data };
      return reduceSession(known, frame);
    }, initialSession);
    expect(reduced).toEqual(state);
  }
});

test("open turns and prompts are ended, and a prompt that died with Claude cannot be answered", async () => {
  for (const session of seen.keys()) {
    const { body } = await session.run("session");
    expect(body).toMatchObject({ state: session === finished ? expect.any(String) : "exited" });
    expect((await session.run("pending")).body).toEqual({ pending: [] });
  }
  const events = await asking.events();
  const { data } = await events.next("control_request_cancel");
  expect(data).toMatchObject({ request_id: "p", reason: "exited" });
  const reply = await asking.run("approve", { requestId: "p", decision: "allow" });
  expect(reply).toMatchObject({ status: 409, body: { code: "already_resolved" } });
});

test("the queue is as it was and held until a person sends, and then the oldest goes first to the same conversation", async () => {
  const queue = [{ message: "first in the queue" }, { message: "second in the queue" }];
  expect((await asking.run("queue")).body).toMatchObject({ queue });
  const events = await asking.events();
  await events.next(({ type, data }) => type === "queue_changed" && data["held"] === true);
  expect(asking.claudes).toHaveLength(1);
  asking.play([]);
  const { status } = await asking.message("third");
  expect(status).toBe(202);
  for (const text of ["first in the queue", "second in the queue", "third"]) {
    await events.next(({ type, data }) => type === "user_text" && data["text"] === text);
    await events.next("turn_complete");
  }
  const [first, second] = asking.claudes;
  const id = first?.args.find((word) => word.startsWith("--session-id="))?.slice(13);
  expect(second?.args).toContain(`--resume=${id}`);
});

test("the message that was on its way is failed and not sent again", async () => {
  const events = await streaming.events();
  const sent = await events.next("message_sent");
  const { data } = await events.next(
    ({ type, data }) => type === "message_status" && data["status"] === "failed",
  );
  expect(data["message_id"]).toBe(sent.data["message_id"]);
  expect(streaming.claudeInput.filter(({ type }) => type === "user")).toHaveLength(1);
});

test("a repeated client id is answered as before the restart, and nothing is sent", async () => {
  const again = await finished.message("once", { client_msg_id: "mine" });
  expect(again).toMatchObject({ status: 200, body: { status: "sent" } });
  expect(finished.claudeInput.filter(({ type }) => type === "user")).toHaveLength(1);
});

test("token and cookie are still good", async () => {
  const page = await fetch(`${host.pageUrl}/`, { headers: { cookie: signedIn } });
  expect(page.status).toBe(200);
});
