/**
 * Both ends of a transcript, which tell its title without the part between them. No schema is loaded for
 * them: the edge for ACP reads the title after each turn. Protocol reference §7.
 */
import { stat } from "node:fs/promises";
import { fieldsOf, parseJson } from "../base/json.ts";
import { isOverlong, LineSplitter } from "../base/lines.ts";
import type { TranscriptEntry } from "./transcript-folder.ts";

/** How much of either end is read. */
const END_BYTES = 64 * 1024;

const MAX_TITLE_CHARS = 200;

export type Lines = readonly Uint8Array[];

/** The lines at both ends. One that is cut does not parse. */
export type Ends = { readonly head: Lines; readonly tail: Lines };

/** There are no lines of a file that is not readable. */
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

/** The title that Claude has stored in a transcript; undefined where there is none. */
export async function readTitle(path: string): Promise<string | undefined> {
  const { size: bytes } = await stat(path);
  return asLine(storedTitle(await readEnds({ path, bytes })) ?? "");
}

function linesIn(bytes: Uint8Array): Lines {
  const splitter = new LineSplitter();
  const lines = [...splitter.feed(bytes), ...splitter.end()];
  return lines.flatMap((line) => (isOverlong(line) ? [] : [line]));
}

/** As in Claude's own list: the given title, a generated one, or a prompt. */
export function storedTitle({ head, tail }: Ends): string | undefined {
  const newest = (key: string) => lastOf(tail, key) ?? lastOf(head, key);
  return (
    newest("customTitle") ||
    newest("aiTitle") ||
    withoutResources(lastOf(tail, "lastPrompt") ?? "") ||
    newest("summary")
  );
}

/** A prompt of an editor without the resources at its end: ours, and those of `claude-agent-acp`. */
export function withoutResources(prompt: string): string {
  const start = prompt.search(/\s*<(?:resource uri|context ref)="/);
  return start === -1 ? prompt : prompt.slice(0, start);
}

/** One line of limited length; undefined if it would be empty. */
export function asLine(text: string): string | undefined {
  const chars = [...text.replaceAll(/\s+/g, " ").trim()];
  if (chars.length > MAX_TITLE_CHARS) return `${chars.slice(0, MAX_TITLE_CHARS - 1).join("")}…`;
  return chars.join("") || undefined;
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
