/** The files that a host may put back on disk, and the files that are refused, with nothing written. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  openPastSessions,
  type PastSessions,
  sessionId,
} from "../../../testing/drivers/past-sessions.ts";
import type { TranscriptRestore } from "../../messages/transcript-messages.ts";
import { folderNamesOf, folderToRestore } from "../transcript-folder.ts";
import { TranscriptRestores } from "../transcript-restore.ts";

const ID = sessionId(1);
const OTHER = sessionId(2);
const MAIN = `${ID}.jsonl`;
const AGENT = `${ID}/subagents/agent-a1.jsonl`;
const NOTE = `${ID}/subagents/agent-a1.meta.json`;

let past: PastSessions;
let restores: TranscriptRestores;
beforeEach(() => {
  past = openPastSessions();
  restores = new TranscriptRestores(({ dir = past.project, claude_version }) =>
    folderToRestore({ path: dir, isMade: false }, past.configDir, claude_version),
  );
});
afterEach(() => past.remove());

type Files = TranscriptRestore["files"];

const add = (files: Files, fields: Partial<TranscriptRestore> = {}) =>
  restores.add({ type: "transcript_restore", session_id: ID, files, ...fields });
const of = (file: string, offset: number, ...lines: string[]) => ({ file, offset, lines });
const own = (text: string) => JSON.stringify({ sessionId: ID, text });

/** Every file below the folder of the project, with its content. */
function written(): Record<string, string> {
  const entries = readdirSync(past.folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    paths.map((path) => [path.slice(past.folder.length + 1), readFileSync(path, "utf8")]),
  );
}

test("the files are written as they were, readable by their owner only", async () => {
  const lines = [own("a"), own("ö")];
  const files = [of(AGENT, 0, own("x")), of(NOTE, 0, '{"n":1}'), of(MAIN, 0, ...lines)];
  expect(await add(files)).toMatchObject({ ok: true, is_written: true, session_id: ID, part: 1 });
  expect(written()).toEqual({
    [MAIN]: `${lines.join("\n")}\n`,
    [AGENT]: `${own("x")}\n`,
    [NOTE]: '{"n":1}',
  });
  for (const file of [MAIN, AGENT, NOTE])
    expect(statSync(join(past.folder, file)).mode & 0o777).toBe(0o600);
  expect(statSync(join(past.folder, ID)).mode & 0o777).toBe(0o700);
  expect(readdirSync(past.folder).sort()).toEqual([ID, MAIN]);
});

test("a conversation in parts is written with the last one", async () => {
  const [first, second] = [own("a"), own("b")];
  const offset = first.length + 1;
  expect(await add([of(MAIN, 0, first)], { more: true })).toMatchObject({
    ok: true,
    is_written: false,
    part: 1,
  });
  expect(readdirSync(past.folder)).not.toContain(MAIN);
  const more = { part: 2, more: true };
  expect(await add([of(AGENT, 0, own("x"))], more)).toMatchObject({ ok: true, part: 2 });
  const last = await add([of(MAIN, offset, second)], { part: 3 });
  expect(last).toMatchObject({ ok: true, is_written: true, part: 3 });
  expect(written()).toEqual({ [MAIN]: `${first}\n${second}\n`, [AGENT]: `${own("x")}\n` });
});

test("lines that come again are taken once, as those of a bridge that begins anew", async () => {
  const [first, second, third] = [own("a"), own("b"), own("c")];
  const offset = first.length + 1;
  const files = [
    of(MAIN, 0, first),
    of(MAIN, offset, second),
    of(MAIN, 0, first, second, third),
    of(MAIN, offset, second),
    of(NOTE, 0, '{"n":1}'),
    of(NOTE, 0, '{"n":2}'),
  ];
  expect(await add(files)).toMatchObject({ ok: true });
  expect(written()).toEqual({
    [MAIN]: `${[first, second, third, ""].join("\n")}`,
    [NOTE]: '{"n":2}',
  });
});

test("a fork of 2.1.38, whose first lines have the id of its source, is no foreign one", async () => {
  const copied = JSON.stringify({ sessionId: OTHER, version: "2.1.38" });
  expect(await add([of(MAIN, 0, own("title"), copied, own("b"))])).toMatchObject({ ok: true });
});

const old = JSON.stringify({ sessionId: OTHER, version: "2.1.38" });
const newer = JSON.stringify({ sessionId: OTHER, version: "2.1.197" });
const REFUSED: Readonly<Record<string, readonly [reason: string, files: Files]>> = {
  "half a line": ["bad_line", [of(MAIN, 0, own("a").slice(0, -3))]],
  "a line that is no object": ["bad_line", [of(MAIN, 0, own("a"), "[1]")]],
  "two lines in one": ["bad_line", [of(MAIN, 0, `${own("a")}\n${own("b")}`)]],
  "an empty line": ["bad_line", [of(MAIN, 0, own("a"), "")]],
  "a line of another conversation": ["foreign", [of(MAIN, 0, own("a"), newer)]],
  "such a line of an agent": ["foreign", [of(MAIN, 0, own("a")), of(AGENT, 0, newer)]],
  "old lines of another conversation alone": ["foreign", [of(MAIN, 0, old)]],
  "lines that begin too late": ["gap", [of(MAIN, 1, own("a"))]],
  "lines that leave something out": ["gap", [of(MAIN, 0, own("a")), of(MAIN, 99, own("b"))]],
  "other lines in the place of earlier ones": [
    "gap",
    [of(MAIN, 0, own("a")), of(MAIN, 0, own("b"))],
  ],
  "a note in pieces": ["gap", [of(MAIN, 0, own("a")), of(NOTE, 3, "{}")]],
  "agents alone": ["gap", [of(AGENT, 0, own("a"))]],
  "lines that name no conversation": ["foreign", [of(MAIN, 0, "{}")]],
  "a conversation without lines": ["gap", [of(MAIN, 0)]],
  nothing: ["gap", []],
  "a name that leads out": ["bad_name", [of(MAIN, 0, own("a")), of(`../${MAIN}`, 0, own("a"))]],
  "a name that leads out of agents": [
    "bad_name",
    [of(MAIN, 0, own("a")), of(`${ID}/subagents/../../agent-x.jsonl`, 0, own("a"))],
  ],
  "an absolute name": ["bad_name", [of(`/tmp/${MAIN}`, 0, own("a"))]],
  "another conversation": ["bad_name", [of(`${OTHER}.jsonl`, 0, own("a"))]],
  "a file of another kind": ["bad_name", [of(MAIN, 0, own("a")), of(`${ID}/notes.txt`, 0)]],
};
for (const [name, [reason, files]] of Object.entries(REFUSED))
  test(`${name}: refused as ${reason}, and nothing is written`, async () => {
    const refused = { ok: false, is_written: false, reason, message: expect.stringMatching(/./) };
    expect(await add(files)).toMatchObject(refused);
    expect(readdirSync(past.folder)).toEqual([]);
  });

test("a refused part drops those before it", async () => {
  await add([of(MAIN, 0, own("a"))], { more: true });
  expect(await add([of(AGENT, 0, "{")], { part: 2, more: true })).toMatchObject({ ok: false });
  expect(await add([of(AGENT, 0, own("x"))], { part: 3 })).toMatchObject({ reason: "gap" });
  expect(readdirSync(past.folder)).toEqual([]);
});

test("a part that does not continue an open restore is refused, whatever it has", async () => {
  const files = [of(MAIN, 0, own("a"))];
  expect(await add(files, { part: 2 })).toMatchObject({ ok: false, reason: "gap" });
  await add(files, { more: true });
  expect(await add(files, { part: 3 })).toMatchObject({ ok: false, reason: "gap" });
  expect(await add(files, { part: 2 })).toMatchObject({ ok: false, reason: "gap" });
  await add(files, { more: true });
  const other = { part: 2, session_id: OTHER };
  expect(await add([of(`${OTHER}.jsonl`, 0, "{}")], other)).toMatchObject({ reason: "gap" });
  expect(readdirSync(past.folder)).toEqual([]);
});

test("a first part drops the files that were collected before it", async () => {
  await add([of(MAIN, 0, own("old")), of(AGENT, 0, own("x"))], { more: true });
  expect(await add([of(MAIN, 0, own("new"))])).toMatchObject({ ok: true });
  expect(written()).toEqual({ [MAIN]: `${own("new")}\n` });
});

test("collected files are removed when the bridge ends", async () => {
  await add([of(MAIN, 0, own("a"))], { more: true });
  expect(readdirSync(past.folder)).toHaveLength(1);
  await restores.drop();
  expect(readdirSync(past.folder)).toEqual([]);
});

test("the files that a killed bridge has left are removed, and the files of another bridge are not", async () => {
  const ended = Bun.spawnSync(["true"]).pid;
  for (const pid of [ended, process.pid]) mkdirSync(join(past.folder, `.tugtalk-restore-${pid}-x`));
  await add([of(MAIN, 0, own("a"))]);
  expect(readdirSync(past.folder).sort()).toEqual([`.tugtalk-restore-${process.pid}-x`, MAIN]);
});

const [a, b, c] = ["a", "b", "c"].map((text) => `${own(text)}\n`);
const EXISTING: readonly (readonly [what: string, before: string, ok: boolean, after: string])[] = [
  ["the same", `${a}${b}`, true, `${a}${b}`],
  ["only the beginning", `${a}`, true, `${a}${b}`],
  ["nothing", "", true, `${a}${b}`],
  ["more, which stays", `${a}${b}${c}`, true, `${a}${b}${c}`],
  ["another end", `${a}${c}`, false, `${a}${c}`],
  ["another beginning", `${c}${a}${b}`, false, `${c}${a}${b}`],
];
test.each(EXISTING)("where the conversation has %s on disk", async (_what, before, ok, after) => {
  writeFileSync(join(past.folder, MAIN), before);
  const files = [of(AGENT, 0, own("x")), of(MAIN, 0, own("a"), own("b"))];
  const result = await add(files);
  expect(result).toMatchObject(ok ? { ok } : { ok, reason: "differs" });
  const agent = ok ? { [AGENT]: `${own("x")}\n` } : {};
  expect(written()).toEqual({ [MAIN]: after, ...agent });
});

test("a link in the place of a file or of a folder is refused, and nothing is written through it", async () => {
  const elsewhere = join(past.project, "elsewhere");
  mkdirSync(elsewhere);
  const files = [of(AGENT, 0, own("x")), of(MAIN, 0, own("a"))];
  symlinkSync(join(elsewhere, "x"), join(past.folder, MAIN));
  expect(await add(files)).toMatchObject({ ok: false, reason: "bad_name" });
  past.empty();
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(past.folder, ID));
  expect(await add(files)).toMatchObject({ ok: false, reason: "bad_name" });
  expect(readdirSync(past.folder)).toEqual([ID]);
  expect(readdirSync(elsewhere)).toEqual([]);
});

test("a project that does not exist is refused", async () => {
  const missing = { dir: join(past.project, "missing") };
  expect(await add([of(MAIN, 0, own("a"))], missing)).toMatchObject({
    ok: false,
    reason: "missing_directory",
  });
});

test("a project that is reached by a link has the name of its real path", async () => {
  const link = join(past.configDir, "link");
  symlinkSync(past.project, link);
  expect(await add([of(MAIN, 0, own("a"))], { dir: link })).toMatchObject({ ok: true });
  expect(Object.keys(written())).toEqual([MAIN]);
});

const NAMES = [
  [undefined, "usual"],
  ["2.1.330", "usual"],
  ["2.1.197", "usual"],
  ["2.1.38", "old"],
] as const;
test.each(NAMES)(
  "for the version %j a long path gets its %s name",
  async (claude_version, kind) => {
    // Longer than the names of new versions, and not longer than a name may be.
    const dir = join(past.project, "l".repeat(100), "l".repeat(127 - past.project.length));
    mkdirSync(dir, { recursive: true });
    const request = { dir, ...(claude_version && { claude_version }) };
    expect(await add([of(MAIN, 0, own("a"))], request)).toMatchObject({ ok: true });
    const folder = join(past.configDir, "projects", folderNamesOf(dir)[kind]);
    expect(readdirSync(folder)).toEqual([MAIN]);
  },
);
