/** The changes in a folder since its latest commit, as `get_workspace_diff` gives it. Pure. */
import {
  type Fields,
  filledText,
  numberOf,
  objectOf,
  objectsOf,
  textOf,
  textsOf,
} from "../claude-value.ts";
import type { DiffHunk } from "../prompt-models.ts";
import { hunkOf } from "./diff-view.ts";

/** `reason` says why Claude gives no diff, in its word: `no-repository`, `diff-failed`. */
export type WorkspaceDiff =
  | { readonly kind: "none"; readonly reason: string }
  | {
      readonly kind: "diff";
      readonly files: readonly WorkspaceFile[];
      readonly addedLines: number;
      readonly removedLines: number;
      /** How many more files differ; a lower bound if the number is not exact. */
      readonly omittedFiles: number;
      readonly isOmittedExact: boolean;
    };

export type WorkspaceFile = {
  readonly path: string;
  /** Where the file was before. */
  readonly previousPath?: string | undefined;
  readonly kind: "added" | "modified" | "removed" | "renamed";
  readonly addedLines: number;
  readonly removedLines: number;
  readonly hunks: readonly DiffHunk[];
  /** Why lines that differ are not in `hunks`, or not all of them. */
  readonly lack?: WorkspaceLack | undefined;
};

export type WorkspaceLack = "binary" | "untracked" | "large" | "restricted" | "cut";

/** Undefined: it is no answer to that request. */
export function viewWorkspaceDiff(response: unknown): WorkspaceDiff | undefined {
  const { diff, noDiffReason } = objectOf(response) ?? {};
  if (diff === null) return { kind: "none", reason: textOf(noDiffReason) ?? "" };
  const fields = objectOf(diff);
  if (fields === undefined) return undefined;
  const stats = objectOf(fields["stats"]);
  const omitted = objectOf(fields["omitted"]);
  const lacks = lacksIn(fields);
  const hunks = new Map(
    objectsOf(fields["hunks"]).map(({ path, hunks }) => [path, objectsOf(hunks).map(hunkOf)]),
  );
  return {
    kind: "diff",
    files: objectsOf(fields["perFileStats"]).flatMap((file) => fileOf(file, { hunks, lacks })),
    addedLines: numberOf(stats?.["linesAdded"]) ?? 0,
    removedLines: numberOf(stats?.["linesRemoved"]) ?? 0,
    omittedFiles: numberOf(omitted?.["files"]) ?? 0,
    isOmittedExact: omitted?.["exact"] !== false,
  };
}

type ByPath = {
  readonly hunks: ReadonlyMap<unknown, readonly DiffHunk[]>;
  readonly lacks: ReadonlyMap<string, WorkspaceLack>;
};

function lacksIn({ skippedLarge, restricted }: Fields): ByPath["lacks"] {
  return new Map([
    ...textsOf(skippedLarge).map((path) => [path, "large"] as const),
    ...textsOf(restricted).map((path) => [path, "restricted"] as const),
  ]);
}

/** If a file is renamed, or Git quotes its name, `path` is the name as Git prints it. */
function fileOf(file: Fields, { hunks, lacks }: ByPath): WorkspaceFile[] {
  const printed = filledText(file["path"]);
  if (printed === undefined) return [];
  const path = filledText(file["newPath"]) ?? printed;
  const ofFile = hunks.get(printed) ?? hunks.get(path) ?? [];
  const addedLines = numberOf(file["added"]) ?? 0;
  const removedLines = numberOf(file["removed"]) ?? 0;
  return [
    {
      path,
      previousPath: filledText(file["previousPath"]),
      kind: kindOf(file),
      addedLines,
      removedLines,
      hunks: ofFile,
      lack:
        lacks.get(printed) ??
        lacks.get(path) ??
        lackOf(file, { hunks: ofFile, count: addedLines + removedLines }),
    },
  ];
}

const KINDS: ReadonlySet<unknown> = new Set(["added", "modified", "removed", "renamed"]);

function isKind(status: unknown): status is WorkspaceFile["kind"] {
  return KINDS.has(status);
}

function kindOf({ status, isUntracked }: Fields): WorkspaceFile["kind"] {
  if (isKind(status)) return status;
  return isUntracked === true ? "added" : "modified";
}

/** `count`: how many lines differ, of which Claude gives the first of each file. */
function lackOf(
  { isBinary, isUntracked }: Fields,
  { hunks, count }: { readonly hunks: readonly DiffHunk[]; readonly count: number },
): WorkspaceLack | undefined {
  if (isBinary === true) return "binary";
  if (isUntracked === true) return "untracked";
  const given = hunks.flatMap(({ lines }) => lines).filter((line) => /^[+-]/.test(line));
  return given.length < count ? "cut" : undefined;
}
