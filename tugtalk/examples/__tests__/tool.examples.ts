/** The hosts with a tool and a hook as texts; tool.real.ts runs them. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXAMPLES } from "./support/example-process.ts";

test.each(["tool.py", "tool.go", "tool.mjs"])("the host in %s has at most 40 lines", (name) => {
  const text = readFileSync(join(EXAMPLES, name), "utf8");
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
});
