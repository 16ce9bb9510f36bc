/**
 * Files of JSON lines in tests. `Bun.JSONL.parse` gives the lines before a broken one, and hides the rest.
 */
import { readFileSync } from "node:fs";

/** The values of all lines. Throws on a line that is no JSON. */
export function readJsonLines(path: string): unknown[] {
  return parseJsonLines(readFileSync(path, "utf8"));
}

/** As `readJsonLines`, for a file that is being written: its last line may not be whole yet. */
export function readWholeLines(path: string): unknown[] {
  const text = readFileSync(path, "utf8");
  return parseJsonLines(text.slice(0, text.lastIndexOf("\n") + 1));
}

function parseJsonLines(text: string): unknown[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line): unknown => JSON.parse(line));
}
