/** Changes of files as a patch that `git apply` takes. Pure. */
import { diffTexts } from "../../client/diff.ts";
import type { DiffHunk } from "../../client/prompt-models.ts";
import type { FileChange, FileTexts } from "./file-changes.ts";

export type Patch = {
  readonly text: string;
  /** The paths of changes that are not in it: outside of the folder, or not known in full. */
  readonly omitted: readonly string[];
};

/** Paths are relative to `folder`. */
export function formatPatch(changes: readonly FileChange[], folder: string): Patch {
  const parts = changes.map((change) => filePatch(change, folder));
  return {
    text: parts.filter((part) => part !== undefined).join(""),
    omitted: changes.filter((_, at) => parts[at] === undefined).map(({ filePath }) => filePath),
  };
}

function filePatch({ filePath, texts }: FileChange, folder: string): string | undefined {
  const start = folder.endsWith("/") ? folder : `${folder}/`;
  if (texts === undefined || !filePath.startsWith(start)) return undefined;
  const path = filePath.slice(start.length);
  return [...headerLines(path, texts), ...bodyLines(path, texts)]
    .map((line) => `${line}\n`)
    .join("");
}

function headerLines(path: string, { before }: FileTexts): string[] {
  const header = `diff --git ${quoted(`a/${path}`)} ${quoted(`b/${path}`)}`;
  return before === null ? [header, "new file mode 100644"] : [header];
}

function bodyLines(path: string, { before, after }: FileTexts): string[] {
  const hunks = diffTexts(marked(before ?? ""), marked(after));
  if (hunks.length === 0) return [];
  const oldName = before === null ? "/dev/null" : fileName(`a/${path}`);
  return [`--- ${oldName}`, `+++ ${fileName(`b/${path}`)}`, ...hunks.flatMap(hunkLines)];
}

/** A name with a blank ends with a tab, or a date might follow. */
function fileName(path: string): string {
  return path.includes(" ") ? `${quoted(path)}\t` : quoted(path);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\t": "\\t",
  "\r": "\\r",
};

/** As git writes names with characters that would end them. */
function quoted(path: string): string {
  if (!/["\\\p{Cc}]/u.test(path)) return path;
  const escaped = path.replace(/["\\\p{Cc}]/gu, (character) => {
    const octal = (character.codePointAt(0) ?? 0).toString(8).padStart(3, "0");
    return ESCAPES[character] ?? `\\${octal}`;
  });
  return `"${escaped}"`;
}

/** Ends a line that has no newline, so that it differs from the same line with one. */
const NO_NEWLINE = "\n\\ No newline at end of file";
const MARK = "\u0000";

function marked(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}${MARK}`;
}

function hunkLines({ oldStart, oldLines, newStart, newLines, lines }: DiffHunk): string[] {
  const header = `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`;
  return [header, ...lines.map((line) => (line.endsWith(MARK) ? unmarked(line) : line))];
}

function unmarked(line: string): string {
  return line.slice(0, -MARK.length) + NO_NEWLINE;
}

/** A range without lines names the line before it. */
function range(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}
