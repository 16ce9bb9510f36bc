/** An example as a process of its own, with a scripted user, and every process that comes of it. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Printed } from "../../../testing/drivers/process-output.ts";
import { isRunning, leftAfter, signalIfRunning } from "../../../testing/drivers/processes.ts";
import { linesSoFar } from "../../../testing/drivers/recorded-claudes.ts";

/** The folder of the examples. */
export const EXAMPLES = join(import.meta.dir, "..", "..");

/** The variable by which the processes of one example are found, whatever group they are in. */
const MARK = "TUGTALK_EXAMPLE_MARK";

/** An example ends its bridge and Claude within this time, also when it is killed itself. */
const END_LIMIT_MS = 10_000;

export type Example = {
  readonly output: Printed;
  /** Everything on stderr so far. */
  readonly errors: () => string;
  readonly type: (...lines: readonly string[]) => void;
  readonly endInput: () => void;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** The exit code, once its output has been read. */
  readonly ended: Promise<number>;
  /** The ids of its processes, itself included. */
  readonly processes: () => number[];
  /** Its processes that stay although they should end. */
  readonly left: () => Promise<number[]>;
  /** The lines that Claude got from the bridge. */
  readonly claudeGot: () => Readonly<Record<string, unknown>>[];
};

const started: Example[] = [];

/**
 * Ends the examples that the last test has started. Each test file calls it after each of its tests: a hook
 * that is registered here would belong to the first file only.
 */
export async function endExamples(): Promise<void> {
  for (const example of started.splice(0)) {
    for (const pid of example.processes()) signalIfRunning(pid, "SIGKILL");
    await example.ended;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Starts an example, to be ended by `endExamples`. `env` is added to ours. */
export function startExample(
  command: readonly string[],
  env: Environment = {},
  cwd?: string,
): Example {
  const mark = randomUUID();
  const log = join(mkdtempSync(join(tmpdir(), "example-")), "stdin.log");
  const child = Bun.spawn([...command], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, [MARK]: mark, TUGTALK_SIM_STDIN_LOG: log, ...env },
    ...(cwd !== undefined && { cwd }),
  });
  const [output, errors] = [new Printed(child.stdout), new Printed(child.stderr)];
  const processes = () => markedWith(mark);
  const example: Example = {
    output,
    errors: () => errors.text,
    type: (...lines) => {
      child.stdin.write(lines.map((line) => `${line}\n`).join(""));
      child.stdin.flush();
    },
    endInput: () => void child.stdin.end(),
    kill: (signal) => child.kill(signal),
    ended: Promise.all([output.whole, errors.whole]).then(() => child.exited),
    processes,
    left: () => leftAfter(processes(), END_LIMIT_MS),
    claudeGot: () => linesSoFar(log),
  };
  started.push(example);
  return example;
}

/** The running processes that have inherited a mark. */
function markedWith(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(`${MARK}=${mark}`))
    .map(Number)
    .filter(isRunning);
}

/** The variables with which a process was started; none if it has ended. */
function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}
