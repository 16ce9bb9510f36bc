/** The change of a tool call to a file, from its structured result. Pure. */

import {
  type Fields,
  filledText,
  numberOf,
  objectOf,
  objectsOf,
  parseJson,
  textOf,
  textsOf,
} from "../claude-value.ts";
import { diffTexts } from "../diff.ts";
import type { DiffHunk } from "../prompt-models.ts";
import type { DiffViewerData } from "../web-components.ts";

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

/** A hunk as Claude gives it. */
export function hunkOf(hunk: Fields): DiffHunk {
  const numberIn = (name: string) => numberOf(hunk[name]) ?? 0;
  return {
    oldStart: numberIn("oldStart"),
    oldLines: numberIn("oldLines"),
    newStart: numberIn("newStart"),
    newLines: numberIn("newLines"),
    lines: textsOf(hunk["lines"]),
  };
}

/** The change of one cell; the notebook is the file. */
function notebookDiff(result: Fields): DiffViewerData | undefined {
  const after = textOf(result["new_source"]);
  if (filledText(result["error"]) !== undefined || after === undefined) return undefined;
  const before = textOf(result["old_source"]) ?? sourceBefore(result);
  return withCounts({
    filePath: String(result["notebook_path"]),
    structuredPatch: diffTexts(before ?? "", result["edit_mode"] === "delete" ? "" : after),
    originalFile: textOf(result["original_file"]) ?? null,
    newFile: textOf(result["updated_file"]),
    editType: "edit",
  });
}

/** 2.1.38 gives the source of a cell only as it is after the change. */
function sourceBefore({ original_file, cell_id, edit_mode }: Fields): string | undefined {
  if (edit_mode === "insert") return undefined;
  const cells = objectsOf(objectOf(parseJson(textOf(original_file) ?? ""))?.["cells"]);
  const source = cells.find(({ id }) => id === cell_id)?.["source"];
  return textOf(source) ?? (Array.isArray(source) ? textsOf(source).join("") : undefined);
}

function withCounts(diff: Omit<DiffViewerData, "addedLines" | "removedLines">): DiffViewerData {
  const lines = diff.structuredPatch.flatMap((hunk) => hunk.lines);
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  return { ...diff, addedLines: count("+"), removedLines: count("-") };
}
