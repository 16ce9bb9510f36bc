/**
 * One child process: how it is started, its three pipes, and how it is stopped. Knows lines, not
 * what they say. Protocol reference §1, §2, §10; contract, guarantee 8.
 */

import { type Line, LineSplitter } from "../base/lines.ts";
import type { ClaudeExit, ClaudeProcess } from "../claude/claude-process-port.ts";
import { TugtalkError } from "../messages/errors.ts";
import { isAlive, killGroup } from "./process-signals.ts";

/** What to start. */
export type SpawnRequest = {
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly maxLineBytes: number;
  /** Takes out of the words on stderr what nobody is to read. */
  readonly hide?: (text: string) => string;
};

/** How much of stderr is kept, in characters. */
const STDERR_TAIL = 8192;

/** How long after the exit its pipes may be silent, and its children take to end, in ms. */
const QUIET_AFTER_EXIT_MS = 200;

/** Starts Claude. Throws `claude_not_found` or `claude_start_failed`. */
export function startClaudeProcess(request: SpawnRequest): ClaudeProcess {
  const child = spawned(request);
  return {
    pid: child.pid,
    lines: readLines(child, request.maxLineBytes),
    exited: exitOf(child, keepTail(child.stderr), request.hide),
    ...inputOf(child.stdin),
    kill: (signal) => killGroup(child.pid, signal),
  };
}

type Child = Bun.Subprocess<"pipe", "pipe", "pipe">;

function spawned(request: SpawnRequest): Child {
  const { command, args, cwd, env } = request;
  try {
    return Bun.spawn([...command, ...args], {
      cwd,
      env: { ...env },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
      // A process group of its own: its children die with it, and a terminal's Ctrl-C passes it by.
      detached: true,
    });
  } catch (cause) {
    throw spawnFailure(cause, request);
  }
}

/** One error stands for several mistakes: the folder, the command or what the command needs is missing. */
function spawnFailure(cause: unknown, request: SpawnRequest): TugtalkError {
  const {
    command: [command = "claude"],
    cwd,
  } = request;
  // Asked for here only: an import would cost every start of the bridge its time.
  const files = process.getBuiltinModule("node:fs");
  // The dot is there in a folder, and not in a file.
  if (!files.existsSync(`${cwd}/.`)) {
    const reason = "missing_directory";
    return new TugtalkError("claude_start_failed", `no such folder: ${cwd}`, { reason, cause });
  }
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "E2BIG")
    return new TugtalkError("claude_start_failed", `cannot start ${command}: ${tooLong(request)}`);
  const words = `cannot start ${command}: ${cause instanceof Error ? cause.message : String(cause)}`;
  if (code !== "ENOENT") return new TugtalkError("claude_start_failed", words, { cause });
  const path = Bun.which(command);
  if (path === null) return new TugtalkError("claude_not_found", words, { cause });
  return loaderFailure(path, firstTwo(files, path), cause);
}

/** The longest argument, and the longest entry of an environment, of Linux, without the NUL at its end. */
const MAX_ARGUMENT_BYTES = 131_071;

/** What the system does not take, by name and length. Repeats no value, which may be a secret. */
function tooLong({ args, env }: SpawnRequest): string {
  const texts = [
    ...args.map((text) => ({ name: text.replace(/=.*/s, ""), text })),
    ...Object.entries(env).map(([name, value]) => ({
      name: `the environment entry ${name}`,
      text: `${name}=${value}`,
    })),
  ].map(({ name, text }) => ({ name, bytes: Buffer.byteLength(text) }));
  const long = texts.find(({ bytes }) => bytes > MAX_ARGUMENT_BYTES);
  if (long !== undefined)
    return `${long.name} takes ${long.bytes} bytes, and the limit of the system is ${MAX_ARGUMENT_BYTES}`;
  const total = texts.reduce((sum, { bytes }) => sum + bytes + 1, 0);
  return `its arguments and environment take ${total} bytes together, more than the system allows (getconf ARG_MAX)`;
}

/** The executable is there: what is missing is the program that its beginning names as its loader. */
function loaderFailure(path: string, beginning: string, cause: unknown): TugtalkError {
  if (beginning === "#!") {
    const words = `cannot start ${path}: the interpreter that its first line names is not there`;
    return new TugtalkError("claude_start_failed", words, { cause });
  }
  const words = `cannot start ${path}: it is built for another C library; install the claude of this system`;
  return new TugtalkError("claude_start_failed", words, { reason: "wrong_libc", cause });
}

/** The first two characters of a file that may be very large. */
function firstTwo(files: typeof import("node:fs"), path: string): string {
  const file = files.openSync(path, "r");
  const bytes = Buffer.alloc(2);
  files.readSync(file, bytes);
  files.closeSync(file);
  return bytes.toString("latin1");
}

/** Reads on demand: while nobody asks for the next batch, Claude's pipe fills up and Claude waits. */
async function* readLines(child: Child, maxLineBytes: number): AsyncGenerator<readonly Line[]> {
  const splitter = new LineSplitter(maxLineBytes);
  const reader = child.stdout.getReader();
  const watch = { isReading: false, chunks: 0 };
  const stopWatching = cancelWhenQuiet(reader, watch, child.exited);
  for (;;) {
    watch.isReading = true;
    const { done, value } = await reader.read();
    watch.isReading = false;
    watch.chunks += 1;
    if (done) break;
    yield splitter.feed(value);
  }
  stopWatching();
  yield splitter.end();
}

type Reader = { readonly cancel: () => Promise<void> };

/** A child of Claude's can hold the pipe open after Claude is gone: then nothing more is awaited. */
function cancelWhenQuiet(
  reader: Reader,
  watch: { readonly isReading: boolean; readonly chunks: number },
  exited: Promise<unknown>,
): () => void {
  let timer: Timer | undefined;
  let isOver = false;
  let seen = -1;
  const look = () => {
    if (watch.isReading && watch.chunks === seen) void reader.cancel();
    seen = watch.chunks;
  };
  void exited.then(() => {
    if (!isOver) timer = setInterval(look, QUIET_AFTER_EXIT_MS);
  });
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}

async function exitOf(
  child: Child,
  stderr: Tail,
  hide = (text: string) => text,
): Promise<ClaudeExit> {
  await child.exited;
  await Promise.race([stderr.ended, quietTime()]);
  stderr.stop();
  await endGroup(child.pid);
  return {
    exitCode: child.exitCode,
    signal: child.signalCode as NodeJS.Signals | null,
    stderrTail: hide(stderr.text()),
  };
}

/** What a Claude that died has left in its group, such as the servers of its tools, works for nobody: it is asked to end, and then ended. */
async function endGroup(leader: number): Promise<void> {
  if (!isAlive(-leader)) return;
  killGroup(leader, "SIGTERM");
  await Bun.sleep(QUIET_AFTER_EXIT_MS);
  killGroup(leader, "SIGKILL");
}

/** Not `Bun.sleep`, which would keep the bridge alive for all of it when stderr ends at once. */
function quietTime(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, QUIET_AFTER_EXIT_MS).unref());
}

type Tail = {
  readonly text: () => string;
  readonly ended: Promise<void>;
  /** Reads no more: a child of Claude's may hold the pipe open, and so us alive, for as long as it likes. */
  readonly stop: () => void;
};

function keepTail(stderr: ReadableStream<Uint8Array>): Tail {
  let tail = "";
  const reader = stderr.getReader();
  async function read(): Promise<void> {
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      tail = (tail + decoder.decode(value, { stream: true })).slice(-STDERR_TAIL);
    }
  }
  return { text: () => tail, ended: read(), stop: () => void reader.cancel() };
}

function inputOf(stdin: Bun.FileSink) {
  let isOpen = true;
  let bufferedChars = 0;
  return {
    writeLine: (line: string) => {
      if (!isOpen) return;
      bufferedChars += line.length;
      // Both fail where the pipe is broken, each by itself.
      void tolerate(() => Promise.all([stdin.write(`${line}\n`), stdin.flush()])).then(() => {
        bufferedChars -= line.length;
      });
    },
    bufferedChars: () => bufferedChars,
    closeInput: () => {
      if (!isOpen) return;
      isOpen = false;
      void tolerate(() => stdin.end());
    },
  };
}

async function tolerate(write: () => unknown): Promise<void> {
  try {
    await write();
  } catch {
    // Writing to a dead child fails, now or later; its exit is what tells.
  }
}
