import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UNDER_TEST } from "../../../testing/drivers/bridge-process.ts";
import { endHosts, startHost } from "../../../testing/drivers/host-process.ts";

afterAll(endHosts);

/** Runs the sub-command on a data folder. */
async function run(data: string, ...words: string[]) {
  const command = [...UNDER_TEST, "host", "sessions", ...words, "--data", data];
  const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err };
}

/** A host with two sessions, one of which has had a turn. */
async function hostWithSessions() {
  const host = await startHost();
  const session = await host.createSession({ title: "First" });
  const events = await session.events();
  await session.message("Tell me something");
  await events.next("turn_complete");
  events.close();
  const other = await host.createSession({ title: "Second" });
  return { host, session, other };
}

test("sessions are listed, exported and deleted, by a running host and without one alike", async () => {
  const { host, session, other } = await hostWithSessions();
  const data = host.dataDir;
  const listed = await run(data, "list", "--json");
  const { sessions } = JSON.parse(listed.out);
  expect(sessions).toHaveLength(2);
  expect(sessions).toContainEqual(
    expect.objectContaining({ id: session.id, title: "First", bytes: expect.any(Number) }),
  );
  const markdown = await run(data, "export", session.id);
  expect(markdown.out).toStartWith("# First\n");
  expect(markdown.out).toContain("## User\n\nTell me something\n");
  expect(markdown.out).toContain("## Claude\n");
  const json = await run(data, "export", session.id, "--format", "json");
  expect(JSON.parse(json.out).entries).not.toBeEmpty();
  expect(await run(data, "delete", other.id)).toMatchObject({
    code: 0,
    out: `deleted ${other.id}\n`,
  });
  expect((await host.run("session", { id: other.id })).status).toBe(404);
  const refused = { code: 1, out: "", err: "tugtalk host sessions: there is no such session\n" };
  expect(await run(data, "delete", other.id)).toEqual(refused);

  expect(await host.stop()).toBe(0);
  const table = await run(data);
  expect(table.out).toMatch(/^ID +SIZE +CHANGED .*\n.* kB +\d min ago +exited .* First\n$/);
  const turns = (text: string) => text.slice(text.indexOf("## User"), text.indexOf("*Turn:"));
  expect(turns((await run(data, "export", session.id)).out)).toBe(turns(markdown.out));
  expect((await run(data, "delete", session.id)).code).toBe(0);
  expect((await run(data)).out).toBe("no sessions\n");
  expect(await run(data, "export", session.id)).toEqual(refused);
});

test("a folder in which no host has run is told, and nothing is made in it", async () => {
  const folder = join(mkdtempSync(join(tmpdir(), "kept-")), "data");
  const { code, err } = await run(folder);
  expect(code).toBe(1);
  expect(err).toContain(`no host has kept sessions in ${folder}`);
  expect(existsSync(folder)).toBe(false);
});
