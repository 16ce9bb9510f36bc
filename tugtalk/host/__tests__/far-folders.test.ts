/** Unusable folders on the machine of the host and on another place, over real sockets. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHECKED_COMMAND } from "../../testing/drivers/bridge-process.ts";
import { STAND_IN } from "../../testing/drivers/claudes.ts";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";

const root = mkdtempSync(join(tmpdir(), "far-folders-"));
const missing = join(root, "missing");

const places = join(root, "places.json");
// A place on this machine: the arguments after the prefix begin with the name of the program.
const started = `shift; TUGTALK_CLAUDE=${STAND_IN} exec ${CHECKED_COMMAND.join(" ")} "$@"`;
const command = ["sh", "-c", started, "box"];
writeFileSync(places, JSON.stringify({ places: [{ name: "box", command }] }));
const host = await startHost({ args: [`--places=${places}`] });
afterAll(async () => {
  await endHosts();
  rmSync(root, { recursive: true });
});

test.each([
  ["that does not exist", missing, "no_such_dir"],
  ["that does not exist, to resume in,", missing, "no_such_dir"],
  ["by a path that is not absolute", "a/folder", "not_absolute"],
])("a folder %s is the same refusal on another place as here", async (what, dir, code) => {
  const resume = what.includes("resume") && { resume: crypto.randomUUID() };
  for (const place of ["local", "box"]) {
    const { status, body } = await host.run("create", { dir, place, trust: true, ...resume });
    expect({ place, status, body }).toMatchObject({ place, status: 400, body: { code } });
    expect(body["error"]).toContain(dir);
  }
  expect((await host.run("sessions")).body).toEqual({ sessions: [] });
});

test("a session whose folder has gone says so on another place as here", async () => {
  for (const place of ["local", "box"]) {
    const dir = join(root, `gone-${place}`);
    mkdirSync(dir);
    const { body } = await host.run("create", { dir, place, trust: true });
    const id = String(body["id"]);
    await host.run("delete", { id, keep: true });
    rmSync(dir, { recursive: true });
    await host.run("message", { id, message: "Are you there?" });
    const { body: after } = await host.run("session", { id });
    expect({ place, after }).toMatchObject({
      place,
      after: { state: "failed", last_error: expect.stringContaining(dir) },
    });
    await host.run("delete", { id });
  }
});
