/** The three pipes of a real child: writing, reading, and the time after its exit. */
import { describe, expect, test } from "bun:test";
import { isOverlong } from "../../base/lines.ts";
import type { ClaudeProcess } from "../../claude/claude-process-port.ts";
import { startClaudeProcess } from "../claude-process.ts";

/** A child that runs these commands in Claude's place. */
function running(script: string): ClaudeProcess {
  return startClaudeProcess({
    command: ["/bin/sh", "-c", script],
    args: [],
    cwd: import.meta.dir,
    env: { PATH: process.env["PATH"] ?? "" },
    maxLineBytes: 64 * 1024 * 1024,
  });
}

/** Its lines, one by one. */
async function* linesOf({ lines }: ClaudeProcess): AsyncGenerator<string> {
  for await (const batch of lines) {
    for (const line of batch) {
      if (isOverlong(line)) throw new Error("a line is too long");
      yield new TextDecoder().decode(line);
    }
  }
}

describe("a line written to Claude", () => {
  test("arrives whole and in order, however much is written at once", async () => {
    const claude = running("exec cat");
    const written = Array.from({ length: 40 }, (_, index) => `${index} `.repeat(index * 5000 + 1));
    for (const line of written) claude.writeLine(line);
    claude.closeInput();
    const heard = await Array.fromAsync(linesOf(claude));
    expect(heard.map((line) => line.length)).toEqual(written.map((line) => line.length));
    expect(heard).toEqual(written);
    expect(await claude.exited).toMatchObject({ exitCode: 0, signal: null });
  });

  test("is dropped after its input was closed", async () => {
    const claude = running("exec cat");
    claude.writeLine("in time");
    claude.closeInput();
    claude.writeLine("too late");
    claude.closeInput();
    expect(await Array.fromAsync(linesOf(claude))).toEqual(["in time"]);
  });

  test("is dropped without an error where Claude has exited", async () => {
    const claude = running("exit 3");
    expect((await claude.exited).exitCode).toBe(3);
    for (let line = 0; line < 3; line += 1) claude.writeLine("x".repeat(1_000_000));
    claude.closeInput();
    expect(await Array.fromAsync(linesOf(claude))).toEqual([]);
  });

  test("is dropped without an error where Claude has closed its input and still runs", async () => {
    const claude = running("exec 0<&-; echo deaf; exec sleep 600");
    const lines = linesOf(claude);
    expect((await lines.next()).value).toBe("deaf");
    for (let line = 0; line < 3; line += 1) claude.writeLine("x".repeat(1_000_000));
    claude.closeInput();
    claude.kill("SIGKILL");
    expect(await claude.exited).toMatchObject({ exitCode: null, signal: "SIGKILL" });
    expect((await lines.next()).done).toBe(true);
  });
});

describe("the stdout of Claude", () => {
  test.each([
    ["whole", `printf '{"a":1}'`, '{"a":1}'],
    ["cut off", `echo one; printf '{"a":'`, '{"a":'],
  ])("is read to its last line without a newline, which is %s", async (_name, script, last) => {
    expect((await Array.fromAsync(linesOf(running(script)))).at(-1)).toBe(last);
  });

  test("is read to its end, also long after Claude has exited", async () => {
    const claude = running("seq 1 200000");
    const lines = linesOf(claude);
    const { value: first } = await lines.next();
    const rest = await Array.fromAsync(lines);
    expect([first, rest.length, rest.at(-1)]).toEqual(["1", 199_999, "200000"]);
    expect((await claude.exited).exitCode).toBe(0);
  });
});

describe("the stderr of Claude", () => {
  test("never blocks it, and its tail is kept", async () => {
    const flood = "head -c 4000000 /dev/zero | tr '\\0' x >&2";
    const claude = running(`${flood}; echo 'the last words' >&2; echo done`);
    expect(await Array.fromAsync(linesOf(claude))).toEqual(["done"]);
    const { stderrTail } = await claude.exited;
    expect(stderrTail).toBe(`${"x".repeat(8192 - 15)}the last words\n`);
  });

  test("is kept where it is split within a character, and without a newline", async () => {
    const claude = running("printf 'f\\303' >&2; echo half; read -r _; printf '\\274r nichts' >&2");
    const lines = linesOf(claude);
    expect((await lines.next()).value).toBe("half");
    claude.writeLine("go on");
    expect((await lines.next()).done).toBe(true);
    expect((await claude.exited).stderrTail).toBe("für nichts");
  });
});
