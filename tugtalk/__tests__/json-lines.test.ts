import { expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readJsonLines, readWholeLines } from "../testing/drivers/json-lines.ts";

const path = join(mkdtempSync(join(tmpdir(), "json-lines-")), "lines.jsonl");

test("a broken line of a fixture is an error, and hides no line after it", () => {
  writeFileSync(path, '{"a":1}\nbroken\n{"b":2}\n');
  expect(() => readJsonLines(path)).toThrow();
  expect(() => readWholeLines(path)).toThrow();
});

test("of a file that is being written the last line is left out until it is whole", () => {
  writeFileSync(path, '{"a":1}\n{"b":2');
  expect(readWholeLines(path)).toEqual([{ a: 1 }]);
  expect(() => readJsonLines(path)).toThrow();
});
