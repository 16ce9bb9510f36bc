import { afterAll, afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { UNDER_TEST } from "../../../testing/drivers/bridge-process.ts";
import { endHosts, startHost, type TestHost } from "../../../testing/drivers/host-process.ts";
import { SmallDisk } from "../../../testing/drivers/small-disk.ts";

const FILLER = join(import.meta.dir, "../../journal/__tests__/support/journal-filler.ts");

let disk: SmallDisk | undefined;
afterEach(() => disk?.close());
afterAll(endHosts);

async function mount(megabytes: number): Promise<SmallDisk> {
  disk = await SmallDisk.mount(megabytes);
  return disk;
}

function fillJournal(on: SmallDisk, sessions: number, end: "close" | "kill") {
  const journal = join(on.path, "journal.sqlite");
  return on.run([process.execPath, FILLER, journal, String(sessions), end]);
}

async function idsOn(on: SmallDisk): Promise<readonly string[]> {
  const { out, err } = await on.sessions(on.path, "list", "--json");
  expect(err).toBe("");
  return JSON.parse(out).sessions.map(({ id }: { id: string }) => id);
}

async function freeBytes(on: SmallDisk): Promise<number> {
  const { out } = await on.run(["df", "--output=avail", "-B1", on.path]);
  return Number(out.split("\n")[1]);
}

test("sessions are listed, exported and deleted on a disk that the journal itself has filled", async () => {
  const full = await mount(64);
  const { out } = await fillJournal(full, 1_000_000, "kill");
  expect(out).toContain("cannot be written");
  expect(await freeBytes(full)).toBeLessThan(8192);

  const ids = await idsOn(full);
  expect(ids.length).toBeGreaterThan(20);
  const exported = await full.sessions(full.path, "export", "s1");
  expect(exported).toMatchObject({ code: 0, err: "" });
  expect(exported.out).toStartWith("# Title of s1\n");
  for (const id of ["s1", "s2"])
    expect(await full.sessions(full.path, "delete", id)).toEqual({
      code: 0,
      out: `deleted ${id}\n`,
      err: "",
    });
  expect(await idsOn(full)).toHaveLength(ids.length - 2);
  expect(await freeBytes(full)).toBeGreaterThan(200_000);
});

test("sessions are listed, exported and deleted on a disk that another program has filled", async () => {
  const full = await mount(16);
  await fillJournal(full, 3, "close");
  await full.fill();
  expect(await freeBytes(full)).toBeLessThan(8192);
  expect(await idsOn(full)).toEqual(expect.arrayContaining(["s0", "s1", "s2"]));
  expect((await full.sessions(full.path, "export", "s2")).out).toStartWith("# Title of s2\n");
  expect((await full.sessions(full.path, "delete", "s2")).err).toBe("");
  expect(await idsOn(full)).toHaveLength(2);
  expect(await freeBytes(full)).toBeGreaterThan(100_000);
});

/** Writes a journal of the version before this one. */
async function makeOld(on: SmallDisk): Promise<void> {
  const script = `const db = new (require("bun:sqlite").Database)(process.argv[1]);
    db.run("ALTER TABLE trusted_dirs DROP COLUMN grants; DROP TABLE message_ends; DROP TABLE attached; DROP TABLE costs; DROP TABLE texts; DROP TABLE text_words; DROP TABLE unindexed; DROP TABLE transcript_lines; CREATE TABLE queue (session, message_id, row); CREATE TABLE prompts (session); PRAGMA user_version = 1"); db.close()`;
  const { err } = await on.run([process.execPath, "-e", script, join(on.path, "journal.sqlite")]);
  expect(err).toBe("");
}

test("a journal of an older version is read and deleted from on a full disk", async () => {
  const full = await mount(16);
  await fillJournal(full, 3, "close");
  await makeOld(full);
  await full.fill();
  expect(await idsOn(full)).toHaveLength(3);
  expect((await full.sessions(full.path, "delete", "s1")).err).toBe("");
  expect(await idsOn(full)).toHaveLength(2);
});

test("a journal of an older version is read from a disk that can only be read", async () => {
  const readOnly = await mount(16);
  await fillJournal(readOnly, 3, "close");
  await makeOld(readOnly);
  await readOnly.makeReadOnly();
  expect(await idsOn(readOnly)).toHaveLength(3);
});

test.each(["close", "kill"] as const)(
  "sessions are listed, exported and backed up from a disk that can only be read (%s)",
  async (end) => {
    const readOnly = await mount(16);
    await fillJournal(readOnly, 3, end);
    await readOnly.makeReadOnly();
    expect(await idsOn(readOnly)).toHaveLength(3);
    expect((await readOnly.sessions(readOnly.path, "export", "s1")).out).toStartWith("# Title of");
    const backup = `${readOnly.path}-backup`;
    expect((await readOnly.sessions(readOnly.path, "backup", backup)).err).toBe("");
    expect((await Bun.file(backup).bytes()).length).toBeGreaterThan(400_000);
    expect(await readOnly.sessions(readOnly.path, "delete", "s1")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("can only be read: EROFS"),
    });
    const written = await readOnly.sessions(readOnly.path, "backup", join(readOnly.path, "new"));
    expect(written.err).toContain(`${join(readOnly.path, "new")} cannot be written`);
  },
);

/** A host with its data on a small disk and two sessions, each with a finished turn and a running Claude. */
async function hostOn(small: SmallDisk) {
  const host = await startHost({
    hasFile: true,
    prefix: small.prefix,
    args: [`--data=${small.path}`],
  });
  const sessions = [await talkedSession(host), await talkedSession(host)] as const;
  return { host, sessions };
}

async function talkedSession(host: TestHost) {
  const session = await host.createSession();
  const events = await session.events();
  await session.finishTurn(`Tell me something: ${"words ".repeat(2_000)}`);
  // A host ends if it cannot store Claude's messages, so the test waits until no more come.
  await events.next("turn_complete");
  await events.next(({ type, data }) => type === "session_state" && data["state"] === "idle");
  await events.next(
    ({ type, data }) => type === "command_lifecycle" && data["state"] === "completed",
  );
  events.close();
  return session;
}

test("a running host lists, exports and deletes its sessions on a full disk, and serves on", async () => {
  const full = await mount(16);
  const { host, sessions } = await hostOn(full);
  await full.fill();
  expect((await host.run("sessions")).body["sessions"]).toHaveLength(2);
  const [first, second] = sessions;
  const exported = await second.run("export");
  expect(exported.status).toBe(200);
  expect(exported.body["text"]).toContain("Tell me something");
  expect((await full.sessions(full.path, "export", second.id)).out).toBe(
    String(exported.body["text"]),
  );
  const { body } = await first.run("delete");
  expect(body).toEqual({ status: "ok" });
  expect((await full.sessions(full.path, "delete", second.id)).out).toBe(`deleted ${second.id}\n`);
  expect((await host.run("sessions")).body["sessions"]).toEqual([]);
  const { status } = await host.run("create", { dir: host.newFolder(), trust: true });
  expect(status).toBe(201);
  expect(await host.stop()).toBe(0);
});

test("a host that has to write at its start refuses a full disk, and says how room is made", async () => {
  const full = await mount(16);
  await fillJournal(full, 3, "kill");
  await full.fill();
  const words = ["host", "--json", "--port=0", "--dir", import.meta.dir, "--data", full.path];
  expect(await full.run([...UNDER_TEST, ...words])).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("such as by tugtalk host sessions delete"),
  });
  expect((await full.sessions(full.path, "delete", "s0")).err).toBe("");
});
