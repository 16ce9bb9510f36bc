/** The records of `recording-claude.ts` about the Claudes that worked in one folder. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readWholeLines } from "./json-lines.ts";

type Line = Readonly<Record<string, unknown>>;

/** One start of Claude. */
export type RecordedClaude = {
  readonly pid: number;
  /** The earlier ones of the folder that ran when it started. */
  readonly beside: readonly number[];
  readonly args: readonly string[];
  /** Its environment. */
  readonly variables: readonly (readonly [name: string, value: string])[];
};

export const STARTS_FILE = "starts.jsonl";
export const ENVIRONMENT_FILE = "environment.json";

const MOVED = /\.moved-\d+$/;

/** A folder that a session of the folder can be moved to: one record is made of the Claudes in both. */
export function movedFolder(dir: string, number: number): string {
  return `${dir.replace(MOVED, "")}.moved-${number}`;
}

/** Where the records of the Claudes in a folder are. */
export function recordFolder(dir: string): string {
  return `${dir.replace(MOVED, "")}.claudes`;
}

export function inputFile(folder: string, pid: number): string {
  return join(folder, `${pid}.jsonl`);
}

/** Claudes that start in this folder from now on get these variables too. */
export function setEnvironment(dir: string, env: Readonly<Record<string, string>>): void {
  const folder = recordFolder(dir);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ENVIRONMENT_FILE), JSON.stringify(env));
}

/** The starts of Claude in this folder, oldest first. */
export function claudesIn(dir: string): readonly RecordedClaude[] {
  return linesSoFar<RecordedClaude>(join(recordFolder(dir), STARTS_FILE));
}

/** The lines that the Claudes in this folder have read from their stdin, oldest process first. */
export function inputIn(dir: string): readonly Line[] {
  return claudesIn(dir).flatMap(({ pid }) => linesSoFar<Line>(inputFile(recordFolder(dir), pid)));
}

/** Less than a test may take: a test that runs out of time loses its host, and so do those after it. */
const WAIT_LIMIT_MS = 25_000;

/** Resolves with the first line of stdin that fits, as soon as a Claude in this folder has read it. */
export async function claudeHears(dir: string, fits: (line: Line) => boolean): Promise<Line> {
  const end = performance.now() + WAIT_LIMIT_MS;
  for (;;) {
    const lines = inputIn(dir);
    const found = lines.find(fits);
    if (found !== undefined) return found;
    if (performance.now() > end) {
      const last = lines.slice(-5).map((line) => JSON.stringify(line).slice(0, 300));
      throw new Error(`nothing that fits; Claude has read ${lines.length}: ${last.join("\n")}`);
    }
    await Bun.sleep(5);
  }
}

/** The lines that a process has written so far; none before it has begun. */
export function linesSoFar<Value = Line>(path: string): Value[] {
  return existsSync(path) ? (readWholeLines(path) as Value[]) : [];
}
