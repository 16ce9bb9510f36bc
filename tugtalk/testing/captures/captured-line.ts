/**
 * Lines that a real CLI printed, by name. Long lists and texts are shortened; nothing else was changed.
 * `from` in the fixture names the version and the scenario of the recording.
 */
import { join } from "node:path";
import { parseClaudeMessage } from "../../src/claude/claude-line.ts";
import type { ClaudeMessage } from "../../src/protocol-types.ts";
import { readJsonLines } from "../drivers/json-lines.ts";

type Line = Readonly<Record<string, unknown>>;
type Entry = { readonly name: string; readonly from: string; readonly line: Line };

const PATH = join(import.meta.dir, "..", "fixtures", "captured-lines.jsonl");
const ENTRIES = readJsonLines(PATH) as Entry[];
const LINES = new Map(ENTRIES.map(({ name, line }) => [name, line]));

/** The names of all recorded lines. */
export const CAPTURED_NAMES: readonly string[] = ENTRIES.map(({ name }) => name);

/** One recorded line; `fields` replace recorded ones. */
export function captured(name: string, fields: Line = {}): Line {
  const line = LINES.get(name);
  if (line === undefined) throw new Error(`no line was recorded under ${name}`);
  return { ...line, ...fields };
}

/** The same line, parsed by the bridge. */
export function capturedMessage<Type extends ClaudeMessage["type"]>(
  name: string,
  type: Type,
  fields: Line = {},
): Extract<ClaudeMessage, { type: Type }> {
  return parsedAs(type, captured(name, fields));
}

/** Parses a line; throws if it is not of this type. */
export function parsedAs<Type extends ClaudeMessage["type"]>(
  type: Type,
  line: Line,
): Extract<ClaudeMessage, { type: Type }> {
  const message = parseClaudeMessage(line);
  if (message.type !== type) throw new Error(`parsed as ${message.type}, not as ${type}`);
  return message as Extract<ClaudeMessage, { type: Type }>;
}
