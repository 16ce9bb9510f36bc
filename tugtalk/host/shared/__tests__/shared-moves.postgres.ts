/**
 * Sessions that move from one machine to another, by hosts that share a database; with a stand-in Claude
 * whose transcript the test writes.
 */
import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestHost, TestHostSession } from "../../../testing/drivers/host-process.ts";
import {
  mirroredSession,
  transcriptIn,
  writeTranscript,
} from "../../../testing/drivers/mirrored-session.ts";
import { at, SharedHosts } from "./support/shared-hosts.ts";

const hosts = await SharedHosts.open();
const near = await hosts.start({ args: ["--machine=near"] });
afterAll(() => hosts.end());

const transcriptOf = (host: TestHost, dir: string, conversation: string) =>
  transcriptIn(join(host.home, ".claude"), dir, conversation);

/** Moves the session to a new folder of the near machine. */
async function moveHere(session: TestHostSession, fields: object = {}) {
  const dir = near.newFolder();
  const answer = await at(near, session).run("move", {
    place: "local",
    dir,
    trust: true,
    ...fields,
  });
  return { ...answer, there: new TestHostSession(near, session.id, dir) };
}

test("a session goes from the machine of its holder to the machine of another host, and both know it there", async () => {
  const far = await hosts.start({ args: ["--machine=far"] });
  const { session, conversation, text } = await mirroredSession(far);
  const { status, body, there } = await moveHere(session);
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { machine: "near", dir: there.dir },
  });
  expect(readFileSync(transcriptOf(near, there.dir, conversation), "utf8")).toBe(text);
  const { data } = await at(far, there).finishTurn("from the host of before");
  expect(data).toMatchObject({ result: "success" });
  expect(session.claudes).toHaveLength(1);
  expect(there.claudes).toHaveLength(1);
  await far.stop();
});

test("a session that cannot go on there stays on its machine, and works there", async () => {
  const far = await hosts.start({ args: ["--machine=far"] });
  const { session, conversation } = await mirroredSession(far);
  const gone = await moveHere(session, { dir: join(near.root, "missing") });
  expect(gone).toMatchObject({ status: 400, body: { code: "no_such_dir" } });
  // A folder that has another file in the place of the transcript.
  const dir = near.newFolder();
  const path = transcriptOf(near, dir, conversation);
  writeTranscript(path, `${JSON.stringify({ sessionId: conversation, text: "other" })}\n`);
  const refused = await moveHere(session, { dir });
  expect(refused).toMatchObject({
    status: 409,
    body: { code: "restore_refused", reason: "differs" },
  });
  const { data } = await at(near, session).finishTurn("still there?");
  expect(data).toMatchObject({ result: "success" });
  expect((await session.run("session")).body).toMatchObject({ machine: "far", dir: session.dir });
  await far.stop();
});

test("a session whose machine is lost goes on at another one, once the lease is over", async () => {
  const far = await hosts.start({ args: ["--machine=lost"] });
  const { session, conversation, text } = await mirroredSession(far);
  await session.run("delete", { keep: true });
  const board = await near.events("/api/events");
  await board.next("sessions");
  await far.kill();
  await board.next(
    ({ type, data }) =>
      type === "session_changed" && data["id"] === session.id && data["unreachable"] === true,
  );
  board.close();
  const { status, there } = await moveHere(session);
  expect(status).toBe(200);
  expect(readFileSync(transcriptOf(near, there.dir, conversation), "utf8")).toBe(text);
  expect((await there.finishTurn("here")).data).toMatchObject({ result: "success" });
  expect((await there.run("session")).body).not.toHaveProperty("unreachable");
});

test("a session goes on at another machine when its host dies while it is asked to hand it over", async () => {
  const far = await hosts.start({ args: ["--machine=dying"] });
  const { session, conversation, text } = await mirroredSession(far);
  await session.run("delete", { keep: true });
  await far.kill();
  const { status, there } = await moveHere(session);
  expect(status).toBe(200);
  expect(readFileSync(transcriptOf(near, there.dir, conversation), "utf8")).toBe(text);
  expect((await there.finishTurn("here")).data).toMatchObject({ result: "success" });
  expect(there.claudes).toHaveLength(1);
});
