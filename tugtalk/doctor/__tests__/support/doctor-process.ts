/** Starts `tugtalk doctor` as a process, in a home and a temporary folder that must stay empty. */
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHECKED_COMMAND, FAULTS, TRANSPILED } from "../../../testing/drivers/bridge-process.ts";
import { DoctorReport } from "../../report.ts";

/** A running doctor. */
export type Doctor = {
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<Ended>;
};

/** How it ended. */
export type Ended = {
  readonly exitCode: number | null;
  readonly out: string;
  readonly errors: string;
  /** The files left in its home and in its temporary folder. */
  readonly leftFiles: readonly string[];
};

type Environment = Readonly<Record<string, string>>;

/** Starts a doctor with PATH and the given entries only. */
export function startDoctor(args: readonly string[], env: Environment = {}): Doctor {
  const folder = mkdtempSync(join(tmpdir(), "doctor-"));
  const [home, temporary] = [join(folder, "home"), join(folder, "tmp")];
  for (const path of [home, temporary]) mkdirSync(path);
  const child = Bun.spawn([...CHECKED_COMMAND, "doctor", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...TRANSPILED,
      ...FAULTS,
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      TMPDIR: temporary,
      ...env,
    },
  });
  const end = async (): Promise<Ended> => {
    const texts = [new Response(child.stdout).text(), new Response(child.stderr).text()];
    const [out = "", errors = ""] = await Promise.all(texts);
    const exitCode = await child.exited;
    const leftFiles = [home, temporary].flatMap((path) => readdirSync(path));
    return { exitCode, out, errors, leftFiles };
  };
  return { kill: (signal) => child.kill(signal), ended: end() };
}

/** The report of `--json`, checked by its schema. */
export async function reportOf(args: readonly string[], env: Environment = {}) {
  const ended = await startDoctor([...args, "--json"], env).ended;
  const report = DoctorReport.strict().parse(JSON.parse(ended.out));
  return { ...ended, report };
}

/** Writes an executable file; returns its path. */
export function writeExecutable(content: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "odd-claude-")), "claude");
  writeFileSync(path, content, { mode: 0o755 });
  return path;
}

/** Writes an executable that prints a version of Claude Code, and otherwise runs `rest`. */
export function writeClaude(rest: string): { readonly path: string; readonly pidFile: string } {
  const pidFile = join(mkdtempSync(join(tmpdir(), "odd-claude-")), "pid");
  const version = 'if [ "$1" = --version ]; then echo "2.1.330 (Claude Code)"; exit; fi';
  const lines = ["#!/bin/sh", version, `echo $$ > ${pidFile}`, rest, ""];
  return { path: writeExecutable(lines.join("\n")), pidFile };
}
