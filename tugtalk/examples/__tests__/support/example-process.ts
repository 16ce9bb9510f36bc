/** An example as a process of its own, with a scripted user, and every process that comes of it. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Output } from "../../../testing/drivers/process-output.ts";
import { isRunning, leftAfter } from "../../../testing/drivers/processes.ts";

/** The folder of the examples. */
export const EXAMPLES = join(import.meta.dir, "..", "..");

/** The variable by which the processes of one example are found, whatever group they are in. */
const MARK = "TUGTALK_EXAMPLE_MARK";

/** An example ends its bridge and Claude within this time, also when it is killed itself. */
const END_LIMIT_MS = 10_000;

export type Example = {
  readonly output: Output;
  /** Everything on stderr so far. */
  readonly errors: () => string;
  readonly type: (...lines: readonly string[]) => void;
  readonly endInput: () => void;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** The exit code, once its output has been read. */
  readonly ended: Promise<number>;
  /** The ids of its processes, itself included. */
  readonly processes: () => number[];
  /** Those of its processes that stay although they should end. */
  readonly left: () => Promise<number[]>;
  /** What Claude got from the bridge. */
  readonly claudeGot: () => Readonly<Record<string, unknown>>[];
};

const started: Example[] = [];

/**
 * Ends what the last test has started. Each test file calls it after each of its tests: a hook that is
 * registered here would belong to the first file only.
 */
export async function endExamples(): Promise<void> {
  for (const example of started.splice(0)) {
    for (const pid of example.processes()) process.kill(pid, "SIGKILL");
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
  const output = new Output();
  const errors = new Output();
  const allRead = Promise.all([readInto(output, child.stdout), readInto(errors, child.stderr)]);
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
    ended: allRead.then(() => child.exited),
    processes,
    left: () => leftAfter(processes(), END_LIMIT_MS),
    claudeGot: () =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>),
  };
  started.push(example);
  return example;
}

async function readInto(output: Output, stream: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) output.add(decoder.decode(chunk, { stream: true }));
}

/** The running processes that have inherited a mark. */
function markedWith(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(`${MARK}=${mark}`))
    .map(Number)
    .filter(isRunning);
}

/** The variables with which a process was started; none for one that has ended. */
function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}
