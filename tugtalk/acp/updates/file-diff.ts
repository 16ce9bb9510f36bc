/** The change of a file by a tool call, as a diff of the whole texts, with the line ends of the file. Pure. */
import type { ToolCallContent } from "@agentclientprotocol/sdk";
import { editedText } from "../../client/views/edited-text.ts";
import { type Fields, isJsonObject } from "../../src/base/json.ts";

/** The text of a file before a call. Null: there is no file. Undefined: it is not known. */
export type Before = string | null | undefined;

export type FileDiff = Extract<ToolCallContent, { type: "diff" }>;

/** The change that a call will make, if it is allowed. Undefined where it is not known. */
export function plannedDiff(input: Fields, before: Before): ToolCallContent | undefined {
  const { file_path: path, content } = input;
  if (typeof path !== "string" || before === undefined) return undefined;
  const newText = typeof content === "string" ? content : edited(before, { input });
  if (newText === undefined || newText === before) return undefined;
  return { type: "diff", path, oldText: before, newText };
}

/** The change that a call has made, in a file that `hadCrlf`. Undefined for other results, and for failures. */
export function fileDiff(
  result: unknown,
  input?: Fields,
  before?: Before,
  hadCrlf: (path: string) => boolean = () => false,
): FileDiff | undefined {
  if (!isJsonObject(result) || !Array.isArray(result["structuredPatch"])) return undefined;
  const { filePath: path, originalFile, content } = result;
  if (typeof path !== "string") return undefined;
  const oldText = exactText(originalFile, before, hadCrlf(path));
  const newText =
    typeof content === "string"
      ? content
      : edited(oldText, { structured: result, ...(input !== undefined && { input }) });
  return newText === undefined ? undefined : { type: "diff", path, oldText, newText };
}

/**
 * The text before the call with its line ends. Claude gives `original` with LF only. `before` may be of
 * another time: Claude does not wait until the agent has read the file.
 */
function exactText(original: unknown, before: Before, hadCrlf: boolean): string | null {
  if (typeof original !== "string") return null;
  if (typeof before === "string" && withLf(before) === withLf(original)) return before;
  if (hadCrlf) return withCrlf(original);
  return typeof before === "string" ? withEndsOf(before, original) : original;
}

type Edit = Parameters<typeof editedText>[1];

/** Claude edits with LF, and writes the line ends that most lines of the file have. */
function edited(before: string | null, edit: Edit): string | undefined {
  const text = editedText(withLf(before ?? ""), edit);
  return text === undefined ? undefined : withEndsOf(before ?? "", text);
}

function withLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function withCrlf(text: string): string {
  return withLf(text).replaceAll("\n", "\r\n");
}

function withEndsOf(sample: string, text: string): string {
  return isCrlf(sample) ? withCrlf(text) : text;
}

/** Whether most lines of a text end with CRLF. */
export function isCrlf(text: string): boolean {
  const ends = text.split("\n").slice(0, -1);
  return ends.filter((line) => line.endsWith("\r")).length * 2 > ends.length;
}
