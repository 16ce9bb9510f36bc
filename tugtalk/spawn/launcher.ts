#!/usr/bin/env node
/**
 * The command `tugtalk` as npm installs it: runs on Node, starts the program with Bun, and passes
 * signals, input and the exit code on.
 */
import { spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { isatty } from "node:tty";
import { findProgram, type Program } from "./program.ts";

const FORWARDED = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const;

function main(): void {
  try {
    launch(findProgram(), process.argv.slice(2));
  } catch (error) {
    fail(error);
  }
}

function launch({ command, env }: Program, args: readonly string[]): void {
  const [file = "", ...words] = command;
  // Only a program with the terminal can advise a person there.
  const child = spawn(file, [...words, ...args], {
    stdio: [isatty(0) ? "inherit" : "pipe", "inherit", "inherit"],
    // A desktop application sets this variable for the launcher. Claude's tools may be applications, too.
    env: { ...process.env, ...env, ELECTRON_RUN_AS_NODE: undefined },
  });
  if (child.stdin !== null) forwardInput(child.stdin);
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  child.on("error", fail);
  child.on("exit", (code, signal) => {
    process.stdin.destroy();
    endLike(code, signal);
  });
}

/**
 * A host's pipe goes through this process: when this process is killed, the program's stdin ends, and so does
 * the program. With the host's own pipe it would live on.
 */
function forwardInput(input: Writable): void {
  process.stdin.pipe(input);
  process.stdin.on("error", () => input.end());
  input.on("error", () => {
    // The program does not read any more. Its exit code follows.
  });
}

/** Ends as the program did, by the same signal if it was one. */
function endLike(code: number | null, signal: NodeJS.Signals | null): void {
  process.exitCode = code ?? 1;
  if (signal === null) return;
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

function fail(error: unknown): void {
  process.stderr.write(`tugtalk: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
  process.stdin.destroy();
}

main();
