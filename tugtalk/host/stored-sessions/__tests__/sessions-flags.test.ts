import { expect, test } from "bun:test";
import { INFO } from "../../export/__tests__/support/transcripts.ts";
import { formatAge, formatSize, sessionTable } from "../session-table.ts";
import { type ParsedSessionsFlags, parseSessionsFlags } from "../sessions-flags.ts";

const WORDS: readonly (readonly [words: string, parsed: ParsedSessionsFlags])[] = [
  ["", { task: { action: "list", isJson: false }, data: undefined, database: undefined }],
  ["--json --data /d", { task: { action: "list", isJson: true }, data: "/d", database: undefined }],
  ["list", { task: { action: "list", isJson: false }, data: undefined, database: undefined }],
  [
    "delete s-1 --data=/d",
    { task: { action: "delete", id: "s-1" }, data: "/d", database: undefined },
  ],
  [
    "export s-1",
    { task: { action: "export", id: "s-1", format: "md" }, data: undefined, database: undefined },
  ],
  [
    "export s-1 --format json",
    { task: { action: "export", id: "s-1", format: "json" }, data: undefined, database: undefined },
  ],
  ["delete --help", { help: true }],
  ["delete", { problem: "delete needs the id of a session" }],
  ["export --format md", { problem: "export needs the id of a session" }],
  ["list s-1", { problem: "unexpected word: s-1" }],
  ["delete s-1 s-2", { problem: "unexpected word: s-2" }],
  ["purge", { problem: "unknown word: purge" }],
  ["import", { problem: "import needs --all" }],
  ["list --all", { problem: "--all is for import and export, not for list" }],
  ["export s-1 --all", { problem: "unexpected word: s-1" }],
  ["import --all", { problem: "import --all needs --database-file, or TUGTALK_DATABASE" }],
  ["--data=", { problem: "--data: needs a value" }],
];
test.each(WORDS)("the words %p are read", (words, expected) => {
  expect(parseSessionsFlags(words.split(" ").filter(Boolean), {}, "/")).toEqual(expected);
});

test.each([
  ["export --all --database-file url --machine m-1", { move: "export" }],
  [
    "import --all --database-file /work/url --machine=m-1 --data /d",
    { move: "import", data: "/d" },
  ],
  ["--database-file url --machine m-1", { task: { action: "list", isJson: false } }],
])("the words %p are about a database", (words, expected) => {
  expect(parseSessionsFlags(words.split(" "), {}, "/work")).toMatchObject({
    ...expected,
    database: { source: { file: "/work/url" }, machine: "m-1" },
  });
});

test("the URL of a database is taken from the variable that the host has, too", () => {
  const env = { TUGTALK_DATABASE: "postgres://box/db" };
  expect(parseSessionsFlags(["list"], env, "/")).toMatchObject({
    database: { source: { url: "postgres://box/db" } },
  });
  expect(parseSessionsFlags(["--database-file", "url"], env, "/")).toHaveProperty("problem");
});

test.each(["--format pdf", "--all", "list --data"])("the words %p are refused", (words) => {
  expect(parseSessionsFlags(words.split(" "), {}, "/")).toHaveProperty("problem");
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [256_000_000, "256.0 MB"],
  [5e12, "5000.0 GB"],
])("%d bytes are shown as %s", (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});

test.each([
  [-5, "0 min ago"],
  [59 * 60_000, "59 min ago"],
  [47 * 3_600_000, "47 h ago"],
  [72 * 3_600_000, "3 days ago"],
])("%d ms are shown as %s", (ms, text) => {
  expect(formatAge(ms)).toBe(text);
});

test("a table has one line for each session, and shows hidden characters of a title", () => {
  const session = { ...INFO, title: "one\n\u001b[2Jtwo", bytes: 1_500, entries: 3 };
  const far = { ...session, id: "session-2", place: "build-box", title: "" };
  expect(sessionTable([session, far], 120_000)).toBe(
    `ID         SIZE    CHANGED    STATE  FOLDER           TITLE
s-1        1.5 kB  2 min ago  idle   /work            one \\u{1b}[2Jtwo
session-2  1.5 kB  2 min ago  idle   build-box:/work`,
  );
});
