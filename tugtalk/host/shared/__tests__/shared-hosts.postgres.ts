/** Several hosts on one database, over real sockets, with a stand-in Claude. */
import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { ASKING } from "../../../testing/drivers/written-conversation.ts";
import { at, SharedHosts, wrongClock } from "./support/shared-hosts.ts";

const hosts = await SharedHosts.open();
const [one, other] = await Promise.all([hosts.start(), hosts.start()]);
afterAll(() => hosts.end());

test("a session that one host has created is listed, streamed and sent messages at another", async () => {
  const session = await one.createSession();
  const there = at(other, session);
  expect((await there.run("session")).body).toMatchObject({ id: session.id });
  const { data } = await there.finishTurn("from the other host");
  expect(data).toMatchObject({ result: "success" });
  expect(session.claudes).toHaveLength(1);
});

test("a request that comes to two hosts at once, and to both again, creates one session", async () => {
  const wanted = { dir: one.newFolder(), trust: true, request_id: crypto.randomUUID() };
  const both = () => Promise.all([one, other].map((host) => host.run("create", wanted)));
  const answers = [...(await both()), ...(await both())];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(new Set(answers.map(({ body }) => body["id"])).size).toBe(1);
});

test("a session that no bell has announced yet is found by the host that is asked for it", async () => {
  const { id } = await one.createSession();
  const fresh = crypto.randomUUID();
  const sql = new SQL(hosts.url, { max: 1 });
  await sql`INSERT INTO tugtalk.sessions (id, row, epoch)
    SELECT ${fresh}, replace(row, id, ${fresh}), epoch FROM tugtalk.sessions WHERE id = ${id}`;
  expect(await other.run("session", { id: fresh })).toMatchObject({ status: 200 });
  expect(await other.run("session", { id: crypto.randomUUID() })).toMatchObject({ status: 404 });
  await sql.close();
});

test("times are those of the database, whatever the clock of a host says", async () => {
  const slow = await hosts.start({ env: wrongClock(-1) });
  const session = await slow.createSession();
  const { created_at } = (await session.run("session")).body;
  expect(Math.abs(Number(created_at) - Date.now())).toBeLessThan(60_000);
  await slow.stop();
});

test("a prompt is answered at another host than the one that has its Claude", async () => {
  const session = await one.createSession({ conversation: ASKING });
  const there = at(other, session);
  const events = await there.events();
  await there.message("go");
  await events.next("control_request_forward");
  const answer = { requestId: "prompt1", decision: "allow" };
  expect(await there.run("approve", answer)).toMatchObject({ status: 200 });
  await session.claudeHears(({ type }) => type === "control_response");
  expect(await session.run("approve", answer)).toMatchObject({ status: 409 });
  events.close();
});

test("another host of the machine takes over at once the sessions of a killed host", async () => {
  const dying = await hosts.start();
  const session = await dying.createSession({ conversation: ASKING });
  const there = at(one, session);
  const events = await there.events();
  await session.message("go");
  await events.next("control_request_forward");
  await dying.kill();
  await events.next(
    ({ type, data }) => type === "control_request_cancel" && data["reason"] === "exited",
  );
  const { status } = await there.message("again");
  expect(status).toBe(200);
  await events.next(({ type, data }) => type === "session_state" && data["state"] === "idle");
  expect(session.claudes).toHaveLength(2);
  events.close();
});

test("a session of a machine without a host is shown as out of reach, can be read and deleted, and refuses messages", async () => {
  const [far, near] = await Promise.all([
    hosts.start({ args: ["--machine=far"] }),
    hosts.start({ args: ["--machine=near"] }),
  ]);
  const session = await far.createSession();
  await session.finishTurn("there");
  const there = at(near, session);
  expect((await there.run("session")).body).toMatchObject({ machine: "far" });
  const board = await near.events("/api/events");
  await board.next("sessions");
  await far.stop();
  await board.next(
    ({ type, data }) =>
      type === "session_changed" && data["id"] === session.id && data["unreachable"] === true,
  );
  const refused = { status: 503, body: { code: "place_unreachable" } };
  expect(await there.message("anybody?")).toMatchObject(refused);
  expect(JSON.stringify((await there.run("snapshot")).body)).toContain("there");
  expect(await there.run("delete")).toMatchObject({ status: 200 });
  expect(await there.run("session")).toMatchObject({ status: 404 });
  board.close();
});
