/** The differences from the latest commit, from an answer of the real CLI and from others. */
import { expect, test } from "bun:test";
import recorded from "../../../simulator/recorded-lines.json";
import { viewWorkspaceDiff } from "../workspace-diff-view.ts";

const { diff } = recorded.workspace_diff;

/** The files of that answer with some fields changed. */
function filesOf(changed: object) {
  const view = viewWorkspaceDiff({ diff: { ...diff, ...changed } });
  return view?.kind === "diff" ? view.files : [];
}

test("each file has its kind, its counts and its lines, or why they lack", () => {
  const view = viewWorkspaceDiff(recorded.workspace_diff);
  expect(view).toMatchObject({ addedLines: 200_003, removedLines: 3, omittedFiles: 0 });
  const files = view?.kind === "diff" ? view.files : [];
  expect(
    files.map(({ path, kind, addedLines, removedLines, hunks, lack }) =>
      [path, kind, addedLines, removedLines, hunks.length, lack].join(" "),
    ),
  ).toEqual([
    "logo.png modified 0 0 0 binary",
    "src/greet.ts modified 3 1 1 ",
    "src/old.ts removed 0 1 1 ",
    "times.txt renamed 0 0 0 ",
    "words.csv modified 200000 1 0 large",
    "src/greet.test.ts added 0 0 0 untracked",
  ]);
  expect(files[3]?.previousPath).toBe("notes.txt");
  expect(files[1]?.hunks[0]?.lines).toContainEqual(expect.stringMatching(/^-.*Hello/));
});

test("a file of which not all lines came says so, and one whose lines Claude keeps back", () => {
  const [, greet] = diff.perFileStats;
  const cut = filesOf({ perFileStats: [{ ...greet, added: 500 }] });
  expect(cut[0]).toMatchObject({ lack: "cut", hunks: [{}] });
  const kept = filesOf({ perFileStats: [greet], hunks: [], restricted: ["src/greet.ts"] });
  expect(kept[0]).toMatchObject({ lack: "restricted", hunks: [] });
});

test("a name that Git quotes is the file's, and its lines are found by either", () => {
  const path = '"\\303\\274.txt"';
  const stats = { added: 1, removed: 0, isBinary: false, isUntracked: false, status: "modified" };
  const hunks = [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: ["+x"] }];
  for (const named of [path, "ü.txt"])
    expect(
      filesOf({
        perFileStats: [{ ...stats, path, newPath: "ü.txt" }],
        hunks: [{ path: named, hunks }],
      }),
    ).toMatchObject([{ path: "ü.txt", hunks, lack: undefined }]);
});

test("how many more files differ is exact, or the least that it can be", () => {
  const omitted = (exact: boolean) =>
    viewWorkspaceDiff({ diff: { ...diff, omitted: { files: 455, exact } } });
  expect(omitted(true)).toMatchObject({ omittedFiles: 455, isOmittedExact: true });
  expect(omitted(false)).toMatchObject({ omittedFiles: 455, isOmittedExact: false });
});

test("where there is no diff the view has Claude's word for the reason, and other answers have no view", () => {
  const none = { diff: null, noDiffReason: "no-repository" };
  expect(viewWorkspaceDiff(none)).toEqual({ kind: "none", reason: "no-repository" });
  expect(viewWorkspaceDiff({ diff: null })).toEqual({ kind: "none", reason: "" });
  for (const other of [undefined, null, {}, { diff: "x" }, []])
    expect(viewWorkspaceDiff(other)).toBeUndefined();
});

test("fields of another shape are left out, and throw nothing", () => {
  const odd = { perFileStats: [{ path: 7 }, "x", { path: "a" }], hunks: 7, stats: null };
  expect(filesOf(odd)).toMatchObject([{ path: "a", kind: "modified", hunks: [] }]);
});
