/// <reference lib="esnext.disposable" preserve="true" />
/**
 * tugtalk as a child process, by any command. The search for the package's program is elsewhere, since a
 * program that starts itself must not search for it.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { parse } from "../client/parse.ts";
import type { InboundMessage, OutboundMessage } from "../src/types.ts";
import { type Handlers, HostHandlers } from "./host-handlers.ts";
import { IncomingMessages } from "./incoming-messages.ts";
import { readLines } from "./line-reader.ts";
import { PendingAnswers } from "./pending-answers.ts";
import { EndedError, type Exit } from "./spawn-errors.ts";

/** The options of a start. All are optional. */
export type StartOptions = Handlers & {
  /** The folder in which Claude works (`--dir`); by default the current one. */
  readonly dir?: string | undefined;
  /** The Claude Code executable (`--claude`); by default the installed one. */
  readonly claude?: string | undefined;
  /** Plays a scenario of the simulator instead of starting Claude; `true` is the demonstration. */
  readonly simulate?: string | true | undefined;
  /** Further flags of the command line, for example `--on-eof=drain`. */
  readonly args?: readonly string[] | undefined;
  /**
   * The seconds after which tugtalk ends by itself if this process does not run, for example if it is stopped
   * or cut off (`--idle-exit`). Until then it gets a blank line three times in that time.
   */
  readonly idleExit?: number | undefined;
  /** Added to the environment of this process; an undefined entry is removed from it. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The log on stderr: passed to ours (the default), dropped, or given line by line. */
  readonly stderr?: "inherit" | "ignore" | ((line: string) => void) | undefined;
  /** Its abort ends tugtalk like `kill`. */
  readonly signal?: AbortSignal | undefined;
};

/** The type of the message that answers each type of request; `shutdown` is answered by `exited` alone. */
type AnswerTypes = {
  protocol_init: "protocol_ack";
  user_message: "message_status";
  cancel_message: "control_result";
  tool_approval: "control_request_resolved";
  question_answer: "control_request_resolved";
  elicitation_answer: "control_request_resolved";
  dialog_answer: "control_request_resolved";
  host_tool_answer: "control_request_resolved";
  hook_answer: "control_request_resolved";
  host_tools: "control_result";
  interrupt: "control_result";
  permission_mode: "control_result";
  model_change: "control_result";
  session_command: "control_result";
  stop_task: "control_result";
  control: "control_result";
  session_list: "session_list_result";
  session_history: "session_history_result";
  transcript_restore: "transcript_restore_result";
};

/** A host message that gets an answer. */
export type Request = Extract<InboundMessage, { type: keyof AnswerTypes }>;

/** The message that answers a request. */
export type AnswerTo<Sent extends Request> = Extract<
  OutboundMessage,
  { type: AnswerTypes[Sent["type"]] }
>;

/** A running tugtalk. With `await using` it is closed at the end of the block. */
export type Tugtalk = AsyncDisposable & {
  readonly pid: number;
  /** Sends a message. Does nothing once tugtalk has ended. */
  send(message: InboundMessage): void;
  /**
   * Sends a message with an `id` of its own, unless it has one, and resolves with its direct answer, whether
   * or not anybody reads `messages`. A `control_result` with `ok` false is an answer too. Rejects with
   * `RequestError` if the answer is an `error`, and with `EndedError` if none can come.
   */
  request<Sent extends Request>(message: Sent): Promise<AnswerTo<Sent>>;
  /**
   * All messages, answers included, in order; ends after the last one. Another loop can continue one that was
   * left; two at a time share the messages. While 4 Mi characters wait here, no request waits and `close` was
   * not called, tugtalk is not read, and Claude has to wait. Rejects if the output is not made of messages.
   */
  readonly messages: AsyncIterable<OutboundMessage>;
  /** Ends stdin: tugtalk ends the turn, Claude, and itself. Resolves like `exited`. */
  close(): Promise<Exit>;
  /** Sends a signal, by default SIGTERM, at which tugtalk ends as by `close`, even with `--on-eof=drain`. */
  kill(signal?: "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGHUP"): void;
  /** Resolves when the process has ended. Never rejects. */
  readonly exited: Promise<Exit>;
};

/** Writes a line to tugtalk, at once or later. `isEnd`: the line is a `shutdown`. */
export type LinePass = (line: { readonly write: () => void; readonly isEnd: boolean }) => void;

/** Starts tugtalk by a command, to which the flags are added. Rejects as `spawnTugtalk` does. */
export async function startTugtalk(
  [command = "", ...words]: readonly string[],
  options: StartOptions,
  pass: LinePass = ({ write }) => write(),
): Promise<Tugtalk> {
  options.signal?.throwIfAborted();
  const child = startChild(command, [...words, ...wordsOf(options)], options);
  const running = new RunningTugtalk(child, options, pass);
  await hasStarted(child, command);
  endOnAbort(running, options.signal);
  if (options.idleExit !== undefined) running.keepAlive(options.idleExit);
  return running;
}

function wordsOf({ simulate, dir, claude, idleExit, args = [] }: StartOptions): readonly string[] {
  const flags = Object.entries({ dir, claude, "idle-exit": idleExit }).filter(
    ([, value]) => value !== undefined,
  );
  const words = [...flags.map(([name, value]) => `--${name}=${value}`), ...args];
  if (simulate === undefined) return words;
  return simulate === true ? ["simulate", ...words] : ["simulate", simulate, ...words];
}

type Child = ChildProcessWithoutNullStreams;

function startChild(command: string, args: readonly string[], options: StartOptions): Child {
  const { stderr = "inherit", env = {} } = options;
  const isRead = typeof stderr === "function";
  const child = spawn(command, args, {
    stdio: ["pipe", "pipe", isRead ? "pipe" : stderr],
    env: { ...process.env, ...env },
    // A process group of its own on POSIX; on Windows it would get a window.
    detached: process.platform !== "win32",
    windowsHide: true,
    // The declarations lack that the first two are pipes, and the third if it is read.
  }) as Child;
  if (isRead) readLines(child.stderr, stderr);
  return child;
}

function hasStarted(child: Child, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    // Also called when a later signal cannot be sent; then no promise waits.
    child.on("error", (cause) =>
      reject(new Error(`cannot start ${command}: ${cause.message}`, { cause })),
    );
  });
}

function endOnAbort(running: RunningTugtalk, signal: AbortSignal | undefined): void {
  const abort = () => running.kill();
  if (signal?.aborted === true) abort();
  signal?.addEventListener("abort", abort, { once: true });
  void running.exited.then(() => signal?.removeEventListener("abort", abort));
}

const BLANKS_PER_IDLE_TIME = 3;

/** The number of characters in waiting messages from which on the child is not read. */
const MAX_WAITING_CHARS = 4 * 1024 * 1024;

class RunningTugtalk implements Tugtalk {
  readonly exited: Promise<Exit>;
  readonly messages: IncomingMessages<OutboundMessage>;
  readonly #child: Child;
  readonly #answers = new PendingAnswers();
  readonly #handlers: HostHandlers;
  readonly #pass: LinePass;
  #isClosing = false;

  constructor(child: Child, handlers: Handlers, pass: LinePass) {
    this.#child = child;
    this.#pass = pass;
    // The handlers pass only messages that get an answer.
    this.#handlers = new HostHandlers(handlers, (answer) => this.request(answer as Request));
    this.messages = new IncomingMessages(() => this.#regulate());
    this.exited = new Promise((resolve) => {
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    const ended = new Promise((resolve) => child.stdout.once("close", resolve));
    readLines(child.stdout, (line) => this.#receive(line));
    child.stdout.on("data", () => this.#regulate());
    for (const stream of [child.stdin, child.stdout])
      stream.on("error", () => {
        // A broken pipe: the end of the process follows.
      });
    void ended.then(() => this.#end());
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  send(message: InboundMessage): void {
    const isEnd = message.type === "shutdown";
    this.#write(JSON.stringify(this.#handlers.declared(message)), isEnd);
  }

  async request<Sent extends Request>(message: Sent): Promise<AnswerTo<Sent>> {
    // At the beginning of a line the bridge finds these fields even if the line is too long.
    const { id = randomUUID(), channel, ...fields } = this.#handlers.declared(message);
    // First, since it throws for a value that is no JSON, after which no request may wait.
    const line = JSON.stringify({ id, channel, ...fields });
    const answer = this.#answers.wait(id, channel);
    this.#write(line);
    this.#regulate();
    // `AnswerTypes` has the answers that the contract promises.
    return (await answer) as AnswerTo<Sent>;
  }

  /** Writes blank lines until tugtalk has ended. */
  keepAlive(idleExit: number): void {
    const timer = setInterval(() => this.#write(""), (idleExit * 1000) / BLANKS_PER_IDLE_TIME);
    void this.exited.then(() => clearInterval(timer));
  }

  close(): Promise<Exit> {
    this.#isClosing = true;
    this.#child.stdin.end();
    this.#regulate();
    return this.exited;
  }

  kill(signal: Parameters<Tugtalk["kill"]>[0] = "SIGTERM"): void {
    this.#child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #write(line: string, isEnd = false): void {
    const { stdin } = this.#child;
    const write = () => {
      if (stdin.writable) stdin.write(`${line}\n`);
    };
    this.#pass({ write, isEnd });
  }

  #receive(line: string): void {
    try {
      const message = parse(line);
      this.#answers.settle(message);
      this.#handlers.receive(message);
      this.messages.add(message, line.length);
    } catch (error) {
      this.messages.end(error instanceof Error ? error : new Error(String(error)));
      this.kill("SIGKILL");
    }
  }

  /** Reads the child, or pauses the reading. */
  #regulate(): void {
    const { stdout } = this.#child;
    const isFull = this.messages.chars > MAX_WAITING_CHARS;
    const mustRead = this.#answers.count > 0 || this.#isClosing;
    if (isFull && !mustRead) stdout.pause();
    else if (stdout.isPaused()) stdout.resume();
  }

  /** Called when all output has been read. */
  async #end(): Promise<void> {
    this.messages.end();
    this.#handlers.end();
    this.#answers.end(new EndedError(await this.exited));
  }
}
