/** Files that somebody writes to after the comparison and before they are put in place. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPastSessions, type PastSessions } from "../../../testing/drivers/past-sessions.ts";
import { placeFiles } from "../placed-files.ts";

let past: PastSessions;
beforeEach(() => {
  past = openPastSessions();
});
afterEach(() => past.remove());

/**
 * Puts a file with these lines in place. The file that is there gets a line as soon as it has been compared.
 */
async function placeLate(lines: string): Promise<unknown> {
  const staging = join(past.folder, "staging");
  mkdirSync(staging, { recursive: true });
  const path = join(staging, "0");
  writeFileSync(path, lines);
  let isCompared = false;
  const file = {
    name: "a.jsonl",
    size: lines.length,
    get path() {
      if (isCompared) appendFileSync(join(past.folder, "a.jsonl"), "late\n");
      isCompared = true;
      return path;
    },
  };
  return placeFiles(past.folder, staging, [file]).catch((error: unknown) => error);
}

test.each([
  ["a file that was not there", "", "late\n"],
  ["the beginning of the file", "one\n", "one\nlate\n"],
])(
  "a line that is added meanwhile stays, and the restore is refused: %s",
  async (_name, there, left) => {
    const target = join(past.folder, "a.jsonl");
    if (there !== "") writeFileSync(target, there);
    expect(await placeLate("one\ntwo\n")).toMatchObject({ reason: "differs" });
    expect(readFileSync(target, "utf8")).toBe(left);
  },
);
