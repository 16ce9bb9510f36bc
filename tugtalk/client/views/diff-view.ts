/** What a tool call has changed in a file, from its structured result. Pure. */
import type { DiffHunk } from "../../src/messages/prompt-models.ts";
import type { DiffViewerData } from "../../src/web-components.ts";
import {
  type Fields,
  filledText,
  numberOf,
  objectOf,
  objectsOf,
  textOf,
  textsOf,
} from "../claude-value.ts";
import { diffTexts } from "../diff.ts";

/** The diff of an Edit, a Write or a NotebookEdit; undefined for other results and for failures. */
export function viewDiff(structured: unknown): DiffViewerData | undefined {
  const result = objectOf(structured);
  if (result === undefined) return undefined;
  return filledText(result["notebook_path"]) === undefined
    ? fileDiff(result)
    : notebookDiff(result);
}

function fileDiff(result: Fields): DiffViewerData | undefined {
  const filePath = filledText(result["filePath"]);
  if (filePath === undefined || !Array.isArray(result["structuredPatch"])) return undefined;
  const content = textOf(result["content"]);
  const editType = editTypeOf(result);
  const patch = objectsOf(result["structuredPatch"]).map(hunkOf);
  // A new file has no patch.
  const isWhole = patch.length === 0 && editType === "create" && content !== undefined;
  return withCounts({
    filePath,
    structuredPatch: isWhole ? diffTexts("", content) : patch,
    originalFile: textOf(result["originalFile"]) ?? null,
    newFile: content,
    editType,
  });
}

/** An Edit that replaces nothing makes a new file. */
function editTypeOf({ type, oldString }: Fields): DiffViewerData["editType"] {
  if (type === "create" || oldString === "") return "create";
  return type === "update" ? "update" : "edit";
}

function hunkOf(hunk: Fields): DiffHunk {
  const numberIn = (name: string) => numberOf(hunk[name]) ?? 0;
  return {
    oldStart: numberIn("oldStart"),
    oldLines: numberIn("oldLines"),
    newStart: numberIn("newStart"),
    newLines: numberIn("newLines"),
    lines: textsOf(hunk["lines"]),
  };
}

/** The change of one cell; 2.1.38 gives the source only as it is after the change. */
function notebookDiff(result: Fields): DiffViewerData | undefined {
  const { notebook_path, old_source, new_source, original_file, updated_file } = result;
  const before = textOf(old_source) ?? textOf(original_file);
  const after = textOf(old_source) === undefined ? textOf(updated_file) : textOf(new_source);
  if (filledText(result["error"]) !== undefined || after === undefined) return undefined;
  return withCounts({
    filePath: String(notebook_path),
    structuredPatch: diffTexts(before ?? "", after),
    originalFile: textOf(original_file) ?? null,
    newFile: textOf(updated_file),
    editType: "edit",
  });
}

function withCounts(diff: Omit<DiffViewerData, "addedLines" | "removedLines">): DiffViewerData {
  const lines = diff.structuredPatch.flatMap((hunk) => hunk.lines);
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  return { ...diff, addedLines: count("+"), removedLines: count("-") };
}
