/** An Edit or a Write as a diff: before it is allowed, from the file itself, and after it was done. */
import { readFileSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { z } from "zod";
import { diffTexts } from "../../../client/diff.ts";
import type { DiffHunk } from "../../../src/messages/prompt-models.ts";
import { type Line, line } from "./terminal-text.ts";

const Replacement = z.looseObject({
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
});
type Replacement = z.infer<typeof Replacement>;

const EditInput = Replacement.extend({ file_path: z.string() });
const MultiEditInput = z.looseObject({ file_path: z.string(), edits: z.array(Replacement) });
const WriteInput = z.looseObject({ file_path: z.string(), content: z.string() });

/** A larger file is not read; the change is shown without its surroundings. */
const MAX_FILE_BYTES = 1_000_000;

/** The fields of a tool's input that the preview shows as a diff. */
export const PREVIEWED_FIELDS: ReadonlySet<string> = new Set([
  "old_string",
  "new_string",
  "content",
  "edits",
]);

/** The change as a diff; nothing where the tool is not known to change a file. */
export function previewEdit(toolName: string, input: unknown): Line[] | undefined {
  switch (toolName) {
    case "Write": {
      const write = WriteInput.safeParse(input).data;
      return write && previewWrite(write.file_path, write.content);
    }
    case "Edit": {
      const edit = EditInput.safeParse(input).data;
      return edit && previewReplacements(edit.file_path, [edit]);
    }
    case "MultiEdit": {
      const edits = MultiEditInput.safeParse(input).data;
      return edits && previewReplacements(edits.file_path, edits.edits);
    }
    default:
      return undefined;
  }
}

function previewWrite(path: string, content: string): Line[] {
  const old = readText(path);
  const title =
    old === undefined ? "a new file, or one that cannot be read here" : "the whole file";
  return [line("dim", `  (${title}:)`), ...formatHunks(diffTexts(old ?? "", content))];
}

function previewReplacements(path: string, edits: readonly Replacement[]): Line[] {
  const old = readText(path);
  const changed = old === undefined ? undefined : replaceInTurn(old, edits);
  if (old !== undefined && changed !== undefined) return formatHunks(diffTexts(old, changed));
  return edits.flatMap((edit) => [
    line(
      "dim",
      `  (${edit.replace_all === true ? "wherever it stands" : "somewhere"} in the file:)`,
    ),
    ...formatHunks(diffTexts(edit.old_string, edit.new_string)),
  ]);
}

/** The text after all replacements; nothing where one does not find its text. */
function replaceInTurn(text: string, edits: readonly Replacement[]): string | undefined {
  let changed = text;
  for (const { old_string, new_string, replace_all } of edits) {
    if (old_string === "" || !changed.includes(old_string)) return undefined;
    const pieces = changed.split(old_string);
    const [first = "", ...others] = pieces;
    changed =
      replace_all === true ? pieces.join(new_string) : first + new_string + others.join(old_string);
  }
  return changed;
}

/** The text of a small regular file; nothing where it cannot be read. */
function readText(path: string): string | undefined {
  try {
    if (!isAbsolute(path)) return undefined;
    const { size } = statSync(path);
    return statSync(path).isFile() && size <= MAX_FILE_BYTES
      ? readFileSync(path, "utf8")
      : undefined;
  } catch {
    return undefined; // The preview then has no surroundings; Claude reads the file itself anyway.
  }
}

/** The part of an edit's result that is shown. Claude owns the shape: anything else shows nothing. */
const EditResult = z.looseObject({
  structuredPatch: z.array(
    z.looseObject({ oldStart: z.number(), newStart: z.number(), lines: z.array(z.string()) }),
  ),
});

/** What an Edit or a Write has changed, by its structured result. */
export function formatPatch(structuredResult: unknown, maxLines: number): Line[] {
  const lines = formatHunks(EditResult.safeParse(structuredResult).data?.structuredPatch ?? []);
  const left = lines.length - maxLines;
  return left <= 0 ? lines : [...lines.slice(0, maxLines), line("dim", `  … ${left} more lines`)];
}

/** Hunks as lines, each with its place. */
function formatHunks(hunks: readonly Pick<DiffHunk, "oldStart" | "newStart" | "lines">[]): Line[] {
  return hunks.flatMap(({ oldStart, newStart, lines }) => [
    line("place", `  @@ -${oldStart} +${newStart} @@`),
    ...lines.map(formatDiffLine),
  ]);
}

function formatDiffLine(text: string): Line {
  if (text.startsWith("+")) return line("added", `  ${text}`);
  return line(text.startsWith("-") ? "removed" : "dim", `  ${text}`);
}
