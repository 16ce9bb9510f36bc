/**
 * Both ends of a transcript, which tell its title without the part between them. No schema is loaded for
 * them: the edge for ACP reads the title after each turn. Protocol reference §7.
 */
import { stat } from "node:fs/promises";
import { fieldsOf, parseJson } from "../base/json.ts";
import { isOverlong, LineSplitter } from "../base/lines.ts";
import { asLine, withoutResources } from "./title-text.ts";
import type { TranscriptEntry } from "./transcript-folder.ts";

/** How much of either end is read. */
const END_BYTES = 64 * 1024;

export type Lines = readonly Uint8Array[];

/** The lines at both ends. A line that is cut off does not parse. */
export type Ends = { readonly head: Lines; readonly tail: Lines };

/** No lines if the file is not readable. */
export async function readEnds({
  path,
  bytes,
}: Pick<TranscriptEntry, "path" | "bytes">): Promise<Ends> {
  const file = Bun.file(path);
  const tailStart = Math.max(0, bytes - END_BYTES);
  try {
    const head = await file.slice(0, END_BYTES).bytes();
    const tail = tailStart === 0 ? head : await file.slice(tailStart, bytes).bytes();
    return { head: linesIn(head), tail: linesIn(tail) };
  } catch {
    return { head: [], tail: [] }; // The conversation is listed without a title.
  }
}

/** The title that a transcript has beside its prompts; undefined where there is none. */
export async function readTitle(path: string): Promise<string | undefined> {
  const { size: bytes } = await stat(path);
  return asLine(givenTitle(await readEnds({ path, bytes })) ?? "");
}

function linesIn(bytes: Uint8Array): Lines {
  const splitter = new LineSplitter();
  const lines = [...splitter.feed(bytes), ...splitter.end()];
  return lines.flatMap((line) => (isOverlong(line) ? [] : [line]));
}

/** The title that a person or Claude has given. */
export function givenTitle(ends: Ends): string | undefined {
  return newest(ends, "customTitle") || newest(ends, "aiTitle");
}

/** As in Claude's own list: the given title, or a prompt. */
export function storedTitle(ends: Ends): string | undefined {
  return (
    givenTitle(ends) ||
    withoutResources(lastOf(ends.tail, "lastPrompt") ?? "") ||
    newest(ends, "summary")
  );
}

function newest({ head, tail }: Ends, key: string): string | undefined {
  return lastOf(tail, key) ?? lastOf(head, key);
}

/** The last text under a key. An empty one removes the earlier ones. */
export function lastOf(lines: Lines, key: string): string | undefined {
  return firstOf(lines.toReversed(), key);
}

export function firstOf(lines: Lines, key: string): string | undefined {
  const needle = `"${key}":"`;
  for (const line of lines) {
    const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
    // Most lines lack the key, and a search is cheaper than a parse.
    if (bytes.indexOf(needle) === -1) continue;
    const value = fieldsOf(parseJson(bytes.toString()))[key];
    if (typeof value === "string") return value;
  }
  return undefined;
}
