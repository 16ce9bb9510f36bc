/** Which conversations Claude keeps of a folder, by its transcripts on disk (§7, D10). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newestSession, transcriptFolder } from "../transcripts.ts";
import { failureOf } from "./support/failure.ts";

const OLDER = "11111111-2222-4333-8444-000000000001";
const NEWER = "11111111-2222-4333-8444-000000000002";

let root: string;
let project: string;
let configDir: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "tugtalk-transcripts-")));
  [project, configDir] = [join(root, "my project_ä"), join(root, "config")];
  await mkdir(project);
  await symlink(project, join(root, "link"));
});
afterAll(() => rm(root, { recursive: true }));

test("the folder of the transcripts is the real path, all but letters and digits as dashes", async () => {
  const spelt = `${root.replaceAll(/[^A-Za-z0-9]/g, "-")}-my-project--`;
  expect(await transcriptFolder(project, configDir)).toBe(join(configDir, "projects", spelt));
  expect(await transcriptFolder(join(root, "link"), configDir)).toBe(
    join(configDir, "projects", spelt),
  );
});

test("a folder that is not there is a failed start with its reason", async () => {
  expect(await failureOf(transcriptFolder(join(root, "gone"), configDir))).toMatchObject({
    code: "claude_start_failed",
    reason: "missing_directory",
  });
});

test("a folder in which nothing was said has no newest conversation", async () => {
  expect(await newestSession(project, configDir)).toBeUndefined();
});

test("the newest conversation is the one that was written to last, and other files are none", async () => {
  const folder = await transcriptFolder(project, configDir);
  await mkdir(join(folder, OLDER), { recursive: true });
  const files = { [`${OLDER}.jsonl`]: 100, [`${NEWER}.jsonl`]: 200, "notes.jsonl": 300 };
  for (const [name, at] of Object.entries(files)) {
    await writeFile(join(folder, name), "{}\n");
    await utimes(join(folder, name), at, at);
  }
  expect(await newestSession(project, configDir)).toBe(NEWER);
  await utimes(join(folder, `${OLDER}.jsonl`), 400, 400);
  expect(await newestSession(project, configDir)).toBe(OLDER);
});
