import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";

afterAll(endHosts);

/** A word of the index, which has words only. */
const WORD = "umbrellaquark";
const TEXT = "the-secret-words-of-the-deleted-session";

/** The files of a data folder in which a text is. */
function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

test("the text of a deleted session leaves every file of a running host", async () => {
  const host = await startHost({ hasFile: true });
  const session = await host.createSession({ title: TEXT });
  const kept = await host.createSession({ title: "the-words-of-the-other-session" });
  await session.finishTurn(`${TEXT} ${WORD} ${"words ".repeat(20_000)}`);
  expect((await host.run("search", { q: WORD })).body["hits"]).not.toEqual([]);
  await session.run("update", { title: `${TEXT} again` });
  expect(filesWith(host.dataDir, TEXT)).not.toEqual([]);
  expect((await session.run("delete")).status).toBe(200);
  // The sweep runs piece by piece after the answer.
  expect((await host.run("search", { q: WORD })).body["hits"]).toEqual([]);
  for (const text of [TEXT, WORD])
    while (filesWith(host.dataDir, text).length > 0) await host.run("health");
  expect(filesWith(host.dataDir, "the-words-of-the-other-session")).not.toEqual([]);
  expect((await kept.run("session")).status).toBe(200);
});

test("the text of a session that was deleted before the host was killed is gone after its next start", async () => {
  const host = await startHost({ hasFile: true });
  const session = await host.createSession({ title: TEXT });
  await session.finishTurn(WORD);
  await session.run("delete");
  await host.kill();
  await host.start();
  for (const text of [TEXT, WORD])
    while (filesWith(host.dataDir, text).length > 0) await host.run("health");
  expect((await host.run("sessions")).body["sessions"]).toEqual([]);
});
