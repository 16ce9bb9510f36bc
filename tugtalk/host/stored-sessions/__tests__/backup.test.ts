import { afterAll, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runSessions, sessionsCommand } from "../../../testing/drivers/ended-command.ts";
import { endHosts, startHost, type TestHost } from "../../../testing/drivers/host-process.ts";
import { entry, sessionRow } from "../../journal/__tests__/support/samples.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";

afterAll(endHosts);

const newFile = () => join(mkdtempSync(join(tmpdir(), "backup-")), "sessions.sqlite");

const backUp = ({ dataDir }: Pick<TestHost, "dataDir">, file: string) =>
  runSessions(dataDir, "backup", file);

/** Puts a backup in the place of the journal, as HOST.md says. */
async function putBack(host: TestHost, file: string): Promise<void> {
  await host.stop();
  const journal = join(host.dataDir, "journal.sqlite");
  rmSync(`${journal}-wal`, { force: true });
  copyFileSync(file, journal);
  await host.start();
}

async function talk(host: TestHost, title: string) {
  const session = await host.createSession({ title });
  const { id: cursor } = await session.finishTurn();
  return { session, cursor };
}

test("a backup that a running host has written has all up to then, and can be put back", async () => {
  const host = await startHost({ hasFile: true });
  const { session, cursor } = await talk(host, "First");
  const file = newFile();
  expect(await backUp(host, file)).toEqual({ code: 0, out: `wrote ${file}\n`, err: "" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(existsSync(`${file}-wal`)).toBe(false);
  const before = await session.run("export", { format: "json" });
  await talk(host, "Second");
  await session.run("update", { title: "Other" });

  await putBack(host, file);
  const { sessions } = (await host.run("sessions")).body;
  expect(sessions).toEqual([expect.objectContaining({ id: session.id, title: "First" })]);
  const after = await session.run("export", { format: "json" });
  expect(await entriesOf(after)).toEqual(await entriesOf(before));
  // A page that was open all the while has entries from after the backup.
  const events = await session.events(cursor);
  expect((await events.next("resume")).data).toMatchObject({ result: "gap" });
  events.close();
});

function entriesOf({ body }: Awaited<ReturnType<TestHost["run"]>>) {
  return body["entries"];
}

test("the backup of a host that was killed has the entries that only its log has", async () => {
  const host = await startHost({ hasFile: true });
  await talk(host, "First");
  await host.kill();
  const file = newFile();
  expect((await backUp(host, file)).code).toBe(0);
  rmSync(join(host.dataDir, "journal.sqlite"));
  await putBack(host, file);
  expect((await host.run("sessions")).body["sessions"]).toHaveLength(1);
});

test("a backup replaces no file, and its path is absolute for the host", async () => {
  const host = await startHost({ hasFile: true });
  const file = newFile();
  writeFileSync(file, "notes");
  const refused = { code: 1, out: "", err: expect.stringContaining(`${file} cannot be written`) };
  expect(await backUp(host, file)).toEqual(refused);
  expect(await Bun.file(file).text()).toBe("notes");
  expect(await host.run("backup", { file: "sessions.sqlite" })).toMatchObject({
    status: 400,
    body: { field: "file" },
  });
  await host.stop();
  expect(await host.stderr).toMatch(/^tugtalk host: .* cannot be written: it exists already\n$/);
  expect(await backUp(host, file)).toEqual(refused);
});

test("a backup that is killed leaves no file of its name that is not whole, and can be made again", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "large-"));
  const journal = openJournal(join(dataDir, "journal.sqlite"));
  journal.create(sessionRow("a"));
  const entries = Array.from({ length: 100 }, () => entry("x".repeat(10_000)));
  for (let index = 0; index < 60; index += 1) journal.commit("a", { entries });
  journal.close();

  const file = newFile();
  const child = Bun.spawn([...sessionsCommand(dataDir, ["backup", file])]);
  while (readdirSync(dirname(file)).length === 0) await new Promise(setImmediate);
  child.kill("SIGKILL");
  await child.exited;
  const isWhole = (path: string) => statSync(path).size > 60 * 100 * 10_000;
  expect(!existsSync(file) || isWhole(file)).toBe(true);
  rmSync(file, { force: true });
  expect((await backUp({ dataDir }, file)).code).toBe(0);
  expect(isWhole(file)).toBe(true);
  expect(readdirSync(dirname(file))).toEqual(["sessions.sqlite"]);
});
