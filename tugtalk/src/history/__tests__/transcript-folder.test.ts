/** The folder of the transcripts of a project, and the newest conversation in it (§7). */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { failureOf } from "../../../testing/drivers/failure.ts";
import {
  answered,
  MANY_NOTES,
  NOTES_ONLY,
  openPastSessions,
  said,
  sessionId,
} from "../../../testing/drivers/past-sessions.ts";
import { newestSession } from "../session-list.ts";
import { folderNamesOf, transcriptFolder } from "../transcript-folder.ts";

const OLDER = sessionId(1);
const NEWER = sessionId(2);
const TALK = [said("a", null, "hello"), answered("b", "a", "hi")];

const past = openPastSessions();
afterEach(() => past.empty());
afterAll(() => past.remove());

/** The folder of the transcripts of a folder that exists. */
const folderFor = (path: string, config: string) =>
  transcriptFolder({ path, isMade: false }, config);

const newest = () => newestSession(past.folder);

let root: string;
let project: string;
let configDir: string;

beforeAll(async () => {
  // Not below TMPDIR, which may be long: folder names here are made of whole paths.
  root = await realpath(await mkdtemp("/tmp/tugtalk-transcripts-"));
  [project, configDir] = [join(root, "my project_ä"), join(root, "config")];
  await mkdir(project);
  await symlink(project, join(root, "link"));
});
afterAll(() => rm(root, { recursive: true }));

test("the folder name is the real path with a dash for each character that is no letter or digit", async () => {
  const spelt = `${root.replaceAll(/[^A-Za-z0-9]/g, "-")}-my-project--`;
  expect(await folderFor(project, configDir)).toBe(join(configDir, "projects", spelt));
  expect(await folderFor(join(root, "link"), configDir)).toBe(join(configDir, "projects", spelt));
});

/** As named by the newer real versions, then by 2.1.38. */
const NAMES: readonly (readonly [name: string, path: string, usual: string, old: string])[] = [
  [
    "a path of 200 characters",
    `/tmp/${"r".repeat(195)}`,
    `-tmp-${"r".repeat(195)}`,
    `-tmp-${"r".repeat(195)}`,
  ],
  [
    "a longer path",
    `/tmp/tugtalk names/${"reed".repeat(50)}`,
    `-tmp-tugtalk-names-${"reed".repeat(45)}r-2k1dz4`,
    `-tmp-tugtalk-names-${"reed".repeat(50)}`,
  ],
  [
    "a longer path with characters of two UTF-16 units",
    `/tmp/tugtalk names/${"🪶 Grüße/".repeat(25)}end`,
    `-tmp-tugtalk-names-${"---Gr--e-".repeat(20)}--7n5i5l`,
    `-tmp-tugtalk-names-${"---Gr--e-".repeat(25)}end`,
  ],
  ["a decomposed letter", "/tmp/cafe\u0301", "-tmp-cafe-", "-tmp-caf-"],
];

test.each(NAMES)("%s has the folder name that Claude gives it", (_name, path, usual, old) => {
  expect(folderNamesOf(path)).toEqual({ usual, old });
});

test("a long path has two possible folder names, and the one that exists is used", async () => {
  const long = join(project, "x".repeat(210 - project.length));
  await mkdir(long, { recursive: true });
  const { usual, old } = folderNamesOf(long);
  const folderOf = (name: string) => join(configDir, "projects", name);
  expect(await folderFor(long, configDir)).toBe(folderOf(usual));
  await mkdir(folderOf(old), { recursive: true });
  expect(await folderFor(long, configDir)).toBe(folderOf(old));
  await mkdir(folderOf(usual));
  expect(await folderFor(long, configDir)).toBe(folderOf(usual));
});

test("a project that does not exist is a failed start with a reason", async () => {
  expect(await failureOf(folderFor(join(root, "gone"), configDir))).toMatchObject({
    code: "claude_start_failed",
    reason: "missing_directory",
  });
});

test("a project that Claude makes has its folder before it is there", async () => {
  const path = join(root, "made");
  const { usual } = folderNamesOf(path);
  const folder = await transcriptFolder({ path, isMade: true }, configDir);
  expect(folder).toBe(join(configDir, "projects", usual));
});

test("a folder without transcripts has no newest conversation", async () => {
  expect(await newest()).toBeUndefined();
});

test("the newest conversation is the transcript changed last; other files are ignored", async () => {
  past.write(OLDER, TALK, 100);
  past.write(NEWER, TALK, 200);
  past.write("notes", TALK, 300);
  mkdirSync(join(past.folder, OLDER));
  expect(await newest()).toBe(NEWER);
  past.write(OLDER, TALK, 400);
  expect(await newest()).toBe(OLDER);
});

test.each(NOTES_ONLY)(
  "a transcript with %s is not a conversation, even as the newest one",
  async (_name, lines) => {
    past.write(NEWER, lines, 200);
    expect(await newest()).toBeUndefined();
    past.write(OLDER, TALK, 100);
    expect(await newest()).toBe(OLDER);
  },
);

test("a transcript with a late and long first message is a conversation", async () => {
  past.write(OLDER, TALK, 100);
  past.write(NEWER, [...MANY_NOTES, said("a", null, "x".repeat(1_000_000))], 200);
  expect(await newest()).toBe(NEWER);
});

test("a transcript with only an answer is a conversation", async () => {
  past.write(NEWER, [answered("a", null, "hello")]);
  expect(await newest()).toBe(NEWER);
});

test("a transcript is not read beyond the first line that shows a conversation", async () => {
  past.write(NEWER, TALK);
  // A hole takes no room on the disk, and all the time of the test to read.
  truncateSync(join(past.folder, `${NEWER}.jsonl`), 2 ** 38);
  expect(await newest()).toBe(NEWER);
});

test("a directory or a link with the name of a transcript is not a conversation", async () => {
  past.write(OLDER, TALK, 100);
  mkdirSync(join(past.folder, `${NEWER}.jsonl`));
  const elsewhere = join(past.project, "elsewhere");
  writeFileSync(elsewhere, `${JSON.stringify(said("a", null, "secret"))}\n`);
  symlinkSync(elsewhere, join(past.folder, `${sessionId(3)}.jsonl`));
  expect(await newest()).toBe(OLDER);
});
