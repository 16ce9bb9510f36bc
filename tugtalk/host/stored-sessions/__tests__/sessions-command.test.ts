import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runSessions } from "../../../testing/drivers/ended-command.ts";
import { endHosts, startHost } from "../../../testing/drivers/host-process.ts";

afterAll(endHosts);

test("sessions are listed, exported and deleted, by a running host and without one alike", async () => {
  const host = await startHost({ hasFile: true });
  const session = await host.createSession({ title: "First" });
  await session.finishTurn("Tell me something");
  const other = await host.createSession({ title: "Second" });
  const data = host.dataDir;
  const [listed, markdown, json] = await Promise.all([
    runSessions(data, "list", "--json"),
    runSessions(data, "export", session.id),
    runSessions(data, "export", session.id, "--format", "json"),
  ]);
  await session.run("update", { archived: true });
  expect((await runSessions(data)).out).toMatch(/ archived .* First\n/);
  await session.run("update", { archived: false });
  const { sessions } = JSON.parse(listed.out);
  expect(sessions).toHaveLength(2);
  expect(sessions).toContainEqual(
    expect.objectContaining({ id: session.id, title: "First", bytes: expect.any(Number) }),
  );
  expect(markdown.out).toStartWith("# First\n");
  expect(markdown.out).toContain("## User\n\nTell me something\n");
  expect(markdown.out).toContain("## Claude\n");
  expect(JSON.parse(json.out).entries).not.toBeEmpty();
  expect(await runSessions(data, "delete", other.id)).toMatchObject({
    code: 0,
    out: `deleted ${other.id}\n`,
  });
  expect((await host.run("session", { id: other.id })).status).toBe(404);
  const refused = { code: 1, out: "", err: "tugtalk host sessions: there is no such session\n" };
  expect(await runSessions(data, "delete", other.id)).toEqual(refused);

  // Without a host, each command has the journal for itself.
  expect(await host.stop()).toBe(0);
  const table = await runSessions(data);
  const exported = await runSessions(data, "export", session.id);
  expect(table.out).toMatch(/^ID +SIZE +CHANGED .*\n.* kB +\d min ago +exited .* First\n$/);
  const turns = (text: string) => text.slice(text.indexOf("## User"), text.indexOf("*Turn:"));
  expect(turns(exported.out)).toBe(turns(markdown.out));
  expect((await runSessions(data, "delete", session.id)).code).toBe(0);
  expect((await runSessions(data)).out).toBe("no sessions\n");
  expect(await runSessions(data, "export", session.id)).toEqual(refused);
});

test("a folder in which no host has run is reported, and nothing is made in it", async () => {
  const folder = join(mkdtempSync(join(tmpdir(), "kept-")), "data");
  const { code, err } = await runSessions(folder);
  expect(code).toBe(1);
  expect(err).toContain(`no host has kept sessions in ${folder}`);
  expect(existsSync(folder)).toBe(false);
});
