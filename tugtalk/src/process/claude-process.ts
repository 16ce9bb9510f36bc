/**
 * One child process: its start, its three pipes and its end. Knows lines, not messages. Protocol reference
 * §1, §2, §10; contract, guarantee 8.
 */
import { type Line, LineSplitter } from "../base/lines.ts";
import { isRunning, killGroup } from "../base/processes.ts";
import { writeTo } from "../base/write-to.ts";
import type { ClaudeExit, ClaudeProcess } from "../claude/claude-process-port.ts";
import type { ErrorReason } from "../messages/error-message.ts";
import { TugtalkError } from "../messages/errors.ts";

export type SpawnRequest = {
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly maxLineBytes: number;
  /** Removes secrets from a text of stderr. */
  readonly hide?: (text: string) => string;
};

const MAX_STDERR_CHARS = 8192;

/** After the exit: how long pipes may be silent and children may take to end. */
const QUIET_AFTER_EXIT_MS = 200;

/** Starts Claude. Throws `claude_not_found` or `claude_start_failed`. */
export function startClaudeProcess(request: SpawnRequest): ClaudeProcess {
  const child = spawned(request);
  return {
    pid: child.pid,
    lines: readLines(child, request.maxLineBytes),
    exited: exitOf(child, request.hide),
    ...inputOf(child.stdin),
    kill: (signal) => killGroup(child.pid, signal),
  };
}

type Child = Bun.Subprocess<"pipe", "pipe", "pipe">;

function spawned(request: SpawnRequest): Child {
  const { command, args, cwd, env } = request;
  // Our single binary runs a script only if it is asked to be Bun.
  const asBun = command[1]?.endsWith(".ts") === true ? { BUN_BE_BUN: "1" } : {};
  try {
    return Bun.spawn([...command, ...args], {
      cwd,
      env: { ...env, ...asBun },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
      // In its own process group: its children end with it, and Ctrl-C in a terminal does not reach it.
      detached: true,
    });
  } catch (cause) {
    throw spawnFailure(cause, request);
  }
}

/** The same system error means that the folder, the command or its loader is missing. */
function spawnFailure(cause: unknown, request: SpawnRequest): TugtalkError {
  const [command = "claude"] = request.command;
  const failure = (message: string, reason?: ErrorReason) =>
    new TugtalkError("claude_start_failed", message, { cause, ...(reason && { reason }) });
  // Loaded only here, since an import slows every start of the bridge.
  const files = process.getBuiltinModule("node:fs");
  // `.` exists in a folder, and not in a file.
  if (!files.existsSync(`${request.cwd}/.`))
    return failure(`no such folder: ${request.cwd}`, "missing_directory");
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "E2BIG")
    return new TugtalkError("claude_start_failed", `cannot start ${command}: ${tooLong(request)}`);
  const message = `cannot start ${command}: ${cause instanceof Error ? cause.message : cause}`;
  if (code === "ENOEXEC") return failure(`cannot start ${command}: ${NO_PROGRAM}`);
  if (code !== "ENOENT") return failure(message);
  const path = Bun.which(command);
  if (path === null) return new TugtalkError("claude_not_found", message, { cause });
  // The executable exists, but its interpreter or loader does not.
  if (beginningOf(path, files) === "#!")
    return failure(`cannot start ${path}: the interpreter in its first line does not exist`);
  const advice = "it is built for another C library; install the claude of this system";
  return failure(`cannot start ${path}: ${advice}`, "wrong_libc");
}

/** npm leaves out install scripts that nobody has allowed; then a text stands for the program. */
const NO_PROGRAM =
  "the file is no program of this system; if npm has installed it without its install script, run `node install.cjs` in the folder of that package";

/** Linux: the longest argument or environment entry, without its final NUL. */
const MAX_ARGUMENT_BYTES = 131_071;

/** Names the entry that is too long. Never its value, which may be a secret. */
function tooLong({ args, env }: SpawnRequest): string {
  const sizes = [
    ...args.map((text) => ({ name: text.replace(/=.*/s, ""), bytes: Buffer.byteLength(text) })),
    ...Object.entries(env).map(([name, value]) => ({
      name: `the environment entry ${name}`,
      bytes: Buffer.byteLength(`${name}=${value}`),
    })),
  ];
  const long = sizes.find(({ bytes }) => bytes > MAX_ARGUMENT_BYTES);
  if (long !== undefined)
    return `${long.name} takes ${long.bytes} bytes, and the limit of the system is ${MAX_ARGUMENT_BYTES}`;
  const total = sizes.reduce((sum, { bytes }) => sum + bytes + 1, 0);
  return `its arguments and environment take ${total} bytes together, more than the system allows (getconf ARG_MAX)`;
}

/** The first two characters of a file, which may be very large. */
function beginningOf(path: string, files: typeof import("node:fs")): string {
  const file = files.openSync(path, "r");
  const bytes = Buffer.alloc(2);
  files.readSync(file, bytes);
  files.closeSync(file);
  return bytes.toString("latin1");
}

/**
 * Reads on demand: back-pressure stops Claude while no batch is requested. No generator, since its
 * promises take longer than most lines.
 */
function readLines(child: Child, maxLineBytes: number): AsyncIterable<Iterable<Line>> {
  const splitter = new LineSplitter(maxLineBytes);
  const reader = child.stdout.getReader();
  const state = { isReading: false, chunks: 0 };
  const stopTimer = cancelWhenQuiet(reader, state, child.exited);
  let isOver = false;
  const next = async (): Promise<IteratorResult<Iterable<Line>, undefined>> => {
    if (isOver) return { done: true, value: undefined };
    state.isReading = true;
    const { done, value } = await reader.read();
    state.isReading = false;
    state.chunks += 1;
    if (!done) return { done, value: splitter.open(value) };
    isOver = true;
    stopTimer();
    return { done: false, value: splitter.end() };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

/** Ends a read after the exit: a child of Claude's can keep the pipe open. */
function cancelWhenQuiet(
  reader: { readonly cancel: () => Promise<void> },
  state: { readonly isReading: boolean; readonly chunks: number },
  exited: Promise<unknown>,
): () => void {
  let timer: Timer | undefined;
  let isStopped = false;
  let seen = -1;
  const check = () => {
    if (state.isReading && state.chunks === seen) void reader.cancel();
    seen = state.chunks;
  };
  void exited.then(() => {
    if (!isStopped) timer = setInterval(check, QUIET_AFTER_EXIT_MS);
  });
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}

async function exitOf(child: Child, hide = (text: string) => text): Promise<ClaudeExit> {
  const stderr = keepTail(child.stderr);
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

/** Ends the processes that Claude leaves in its process group, for example MCP servers. */
async function endGroup(leader: number): Promise<void> {
  if (!isRunning(-leader)) return;
  killGroup(leader, "SIGTERM");
  await Bun.sleep(QUIET_AFTER_EXIT_MS);
  killGroup(leader, "SIGKILL");
}

/** Unlike `Bun.sleep`, it does not keep the bridge alive. */
function quietTime(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, QUIET_AFTER_EXIT_MS).unref());
}

function keepTail(stderr: ReadableStream<Uint8Array>) {
  const reader = stderr.getReader();
  const decoder = new TextDecoder();
  let tail = "";
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      tail = (tail + decoder.decode(value, { stream: true })).slice(-MAX_STDERR_CHARS);
    }
  };
  // A child of Claude's can keep the pipe open, which would keep the bridge alive.
  return { ended: read(), stop: () => void reader.cancel(), text: () => tail };
}

function inputOf(stdin: Bun.FileSink) {
  let isOpen = true;
  let bufferedChars = 0;
  return {
    writeLine: (line: string) => {
      if (!isOpen) return;
      const pending = writeIfOpen(stdin, `${line}\n`);
      if (pending === undefined) return;
      bufferedChars += line.length;
      void tolerate(() => pending).then(() => {
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

/** Undefined if the pipe has taken the text, or is broken, which the exit of the child reports. */
function writeIfOpen(stdin: Bun.FileSink, text: string): Promise<unknown> | undefined {
  try {
    return writeTo(stdin, text);
  } catch {
    return undefined;
  }
}

async function tolerate(write: () => unknown): Promise<void> {
  try {
    await write();
  } catch {
    // The exit of the child reports it.
  }
}
