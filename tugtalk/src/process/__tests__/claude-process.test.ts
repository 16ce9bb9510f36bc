/** The process group of a Claude that has exited. */
import { expect, test } from "bun:test";
import { leftAfter } from "../../../testing/drivers/processes.ts";
import { MAX_LINE_BYTES } from "../../base/lines.ts";
import { startClaudeProcess } from "../claude-process.ts";

const CHILDREN = [
  ["that exits on SIGTERM", "sleep 600 >/dev/null 2>&1 & echo $!"],
  ["that ignores SIGTERM", "(trap '' TERM; exec sleep 600) >/dev/null 2>&1 & echo $!"],
] as const;

test.each(CHILDREN)("a child %s is ended when Claude exits by itself", async (_name, script) => {
  const claude = startClaudeProcess({
    command: ["sh", "-c", script],
    args: [],
    cwd: process.cwd(),
    env: { PATH: process.env["PATH"] ?? "" },
    maxLineBytes: MAX_LINE_BYTES,
  });
  let emitted = "";
  for await (const lines of claude.lines) emitted += Buffer.concat([...lines] as Uint8Array[]);
  expect(Number(emitted)).toBeGreaterThan(0);
  expect((await claude.exited).exitCode).toBe(0);
  expect(await leftAfter([Number(emitted), -claude.pid], 2000)).toEqual([]);
});
