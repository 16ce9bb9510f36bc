/** Patches of a session's changes, applied by git. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { diffTexts } from "../../../client/diff.ts";
import type { FileChange } from "../file-changes.ts";
import { formatPatch } from "../format-patch.ts";

const FOLDER = "/work/project";

function changeOf(path: string, before: string | null, after: string): FileChange {
  return {
    filePath: `${FOLDER}/${path}`,
    texts: { before, after },
    hunks: diffTexts(before ?? "", after),
  };
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => `line ${at}\n`).join("");

/** Changes of files, by their special feature. */
const CHANGES: Readonly<Record<string, FileChange>> = {
  "one line": changeOf("a.txt", "one\ntwo\nthree\n", "one\nTWO\nthree\n"),
  "lines far apart": changeOf(
    "src/long.txt",
    numbered(100),
    numbered(100).replace("line 3\n", "").replace("line 90\n", "line 90\nmore\n"),
  ),
  "a new file in a new folder": changeOf("new/deep/file.ts", null, "export {};\n"),
  "a new file without a line": changeOf("empty.txt", null, ""),
  "a new file without a newline at its end": changeOf("short.txt", null, "x"),
  "a file that becomes empty": changeOf("gone.txt", "a\nb\n", ""),
  "an empty file that gets lines": changeOf("was-empty.txt", "", "a\n"),
  "a newline at the end that comes": changeOf("ended.txt", "a\nb", "a\nb\n"),
  "a newline at the end that goes": changeOf("open.txt", "a\nb\n", "a\nb"),
  "no newline at the end, before and after": changeOf("never.txt", "a\nb", "c\nb"),
  "lines with carriage returns": changeOf("dos.txt", "a\r\nb\r\n", "a\r\nB\r\n"),
  "lines that look like a patch": changeOf(
    "odd.txt",
    "--- a\n+++ b\n@@\n",
    "--- a\n+++ c\n\\ no\n",
  ),
  "a name with blanks": changeOf("my file.txt", "a\n", "b\n"),
  "a name with a quote, a backslash and a tab": changeOf('q"\\\t.txt', "a\n", "b\n"),
  "a name in another script": changeOf("größe-日本.txt", "a\n", "b\n"),
};

/** The patch that git prints for the files of these changes. */
function applied(changes: readonly FileChange[]): readonly { path: string; text: string }[] {
  const folder = mkdtempSync(join(tmpdir(), "patch-"));
  try {
    const pathOf = ({ filePath }: FileChange) => join(folder, filePath.slice(FOLDER.length + 1));
    for (const change of changes) {
      mkdirSync(dirname(pathOf(change)), { recursive: true });
      const before = change.texts?.before;
      if (typeof before === "string") writeFileSync(pathOf(change), before);
    }
    const stdin = Buffer.from(formatPatch(changes, FOLDER).text);
    const { exitCode, stderr } = Bun.spawnSync(["git", "apply"], { cwd: folder, stdin });
    if (exitCode !== 0) throw new Error(stderr.toString());
    return changes.map((change) => ({
      path: change.filePath,
      text: readFileSync(pathOf(change), "utf8"),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const outcomes = (changes: readonly FileChange[]) =>
  changes.map(({ filePath, texts }) => ({ path: filePath, text: texts?.after ?? "" }));

for (const [name, change] of Object.entries(CHANGES))
  test(`git applies the patch of a change with ${name}`, () => {
    expect(applied([change])).toEqual(outcomes([change]));
  });

test("git applies the patch of many files", () => {
  const all = Object.values(CHANGES);
  expect(applied(all)).toEqual(outcomes(all));
});

test("a file outside of the folder and one whose text is not known are named and left out", () => {
  const known = changeOf("a.txt", "a\n", "b\n");
  const outside = { ...known, filePath: "/work/project-2/a.txt" };
  const unknown = { filePath: "/work/project/b.txt", hunks: known.hunks };
  const { text, omitted } = formatPatch([outside, known, unknown], FOLDER);
  expect(omitted).toEqual(["/work/project-2/a.txt", "/work/project/b.txt"]);
  expect(text).toBe(
    "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-a\n+b\n",
  );
});
