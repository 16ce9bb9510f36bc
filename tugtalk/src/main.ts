/**
 * The bridge as a process: its pipes, its signals, its exit code, and which method of the session
 * each host message goes to. The only module that knows both a pipe and the session.
 */

import packageJson from "../../package.json" with { type: "json" };
import { type BridgeArguments, parseArguments, USAGE } from "./arguments.ts";
import { buildEnvironment, findClaude } from "./claude-command.ts";
import { startClaudeProcess } from "./claude-process.ts";
import type { Clock } from "./clock.ts";
import type { SessionHistory, SessionList } from "./history-messages.ts";
import { HistoryRequests } from "./history-requests.ts";
import { type InboundProblem, parseInboundLine } from "./inbound-line.ts";
import { type HostWriter, openHostWriter } from "./ipc.ts";
import { isOverlong, type Line, LineSplitter } from "./lines.ts";
import { type Log, openLog } from "./log.ts";
import { SessionManager } from "./session.ts";
import {
  INBOUND_TYPES,
  type InboundMessage,
  type OutboundDraft,
  type ProtocolInit,
} from "./types.ts";

/** Runs the bridge on this process's pipes, from its arguments to its exit code. */
export async function runBridge(words: readonly string[] = Bun.argv.slice(2)): Promise<void> {
  const parsed = parseArguments(words, process.env, process.cwd());
  if ("run" in parsed) await new Bridge(parsed.run).run();
  else if ("print" in parsed)
    console.log(parsed.print === "help" ? USAGE.trimEnd() : packageJson.version);
  else {
    console.error(`${parsed.problem}\n\n${USAGE.trimEnd()}`);
    process.exitCode = 2;
  }
}

/** The clock of the machine; its timers do not keep the process alive. */
const CLOCK: Clock = {
  now: () => Date.now(),
  setTimer: (run, ms) => setTimeout(run, ms).unref(),
  clearTimer: (timer) => clearTimeout(timer as Timer | undefined),
};

/** Answers that the host does not read are let to grow to this, in characters; then its input waits. */
const MAX_BACKLOG = 8 * 1024 * 1024;

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

class Bridge {
  readonly #arguments: BridgeArguments;
  readonly #log: Log;
  readonly #writer: HostWriter;
  readonly #session: SessionManager;
  readonly #history: HistoryRequests;
  readonly #input = Bun.stdin.stream().getReader();
  #isInitialized = false;
  #isDraining = false;

  constructor(args: BridgeArguments) {
    this.#arguments = args;
    this.#log = openLog(args.logLevel);
    this.#writer = openHostWriter(Bun.stdout.writer(), () => this.#close());
    this.#session = new SessionManager({
      spawn: (claudeArgs, options) =>
        startClaudeProcess({
          command: findClaude(args.claude),
          args: claudeArgs,
          cwd: args.dir,
          env: buildEnvironment(process.env, options),
          maxLineBytes: args.maxLineBytes,
        }),
      emit: this.#writer.send,
      drained: this.#writer.drained,
      clock: CLOCK,
      newId: () => crypto.randomUUID(),
      newestSessionId: async () => (await import("./transcripts.ts")).newestSession(args.dir),
      onFatal: () => this.#fail(),
      onFault: (words) => this.#log("error", words),
    });
    this.#history = new HistoryRequests({
      read: (request) => readPast(args.dir, request),
      emit: this.#writer.send,
      drained: this.#writer.drained,
    });
  }

  /** Serves the host until its input ends, a signal comes or nothing can be done; then ends Claude. */
  async run(): Promise<void> {
    for (const signal of SIGNALS) process.on(signal, () => this.#close());
    await this.#readHost();
    await this.#session.shutdown(this.#isDraining || this.#arguments.onEof === "drain");
    await this.#history.settled();
    await this.#writer.drained();
  }

  async #readHost(): Promise<void> {
    const lines = new LineSplitter(this.#arguments.maxLineBytes);
    let unread = 0;
    for (;;) {
      const { done, value } = await this.#input.read();
      if (done) break;
      const before = this.#writer.total();
      for (const line of lines.feed(value)) this.#take(line);
      // What Claude says waits elsewhere: it must not keep an interrupt from being heard.
      const answers = this.#writer.total() - before;
      unread = this.#writer.backlog() === answers ? answers : unread + answers;
      if (unread <= MAX_BACKLOG) continue;
      await this.#writer.drained();
      unread = 0;
    }
    for (const line of lines.end()) this.#take(line);
  }

  /** Ends Claude, and stops listening, which ends `run`. */
  #close(): void {
    void this.#session.shutdown(false);
    this.#stopListening();
  }

  /** Ends Claude when it is done. Until then the host is heard: it has prompts to answer. */
  #drain(): void {
    this.#isDraining = true;
    void this.#session.shutdown(true, true).then(() => this.#stopListening());
  }

  /** A read that is under way ends as if the input had. */
  #stopListening(): void {
    void this.#input.cancel();
  }

  #fail(): void {
    process.exitCode = 1;
    this.#close();
  }

  #take(line: Line): void {
    if (isOverlong(line)) {
      const message = `a line of ${line.overlongBytes} bytes was thrown away; --max-line-bytes sets the limit`;
      this.#refuse({ code: "line_too_long", message });
      return;
    }
    const parsed = parseInboundLine(line);
    if ("problem" in parsed) this.#refuse(parsed.problem);
    else this.#dispatch(parsed.message);
  }

  #refuse(problem: InboundProblem, recoverable = true): void {
    this.#log("warn", problem.message);
    this.#writer.send({ type: "error", ...problem, recoverable, source: "host" });
  }

  #dispatch(message: InboundMessage): void {
    if (message.type === "protocol_init") this.#initialize(message);
    else if (this.#isInitialized) this.#handle(message);
    else
      this.#refuse({
        code: "not_initialized",
        message: "protocol_init comes first",
        ...placeOf(message),
      });
  }

  #handle(message: Exclude<InboundMessage, ProtocolInit>): void {
    const session = this.#session;
    switch (message.type) {
      case "user_message":
        session.handleUserMessage(message);
        break;
      case "tool_approval":
        session.handleToolApproval(message);
        break;
      case "question_answer":
        session.handleQuestionAnswer(message);
        break;
      case "interrupt":
        session.handleInterrupt(message);
        break;
      case "permission_mode":
        session.handlePermissionMode(message);
        break;
      case "model_change":
        session.handleModelChange(message);
        break;
      case "session_command":
        session.handleSessionCommand(message);
        break;
      case "cancel_message":
        session.handleCancelMessage(message);
        break;
      case "control":
        session.handleControl(message);
        break;
      case "elicitation_answer":
        session.handleElicitationAnswer(message);
        break;
      case "dialog_answer":
        session.handleDialogAnswer(message);
        break;
      case "stop_task":
        session.handleStopTask(message);
        break;
      case "session_list":
      case "session_history":
        this.#history.ask(message);
        break;
      case "shutdown":
        if (message.drain === true) this.#drain();
        else this.#close();
    }
  }

  #initialize(message: ProtocolInit): void {
    const reply = placeOf(message);
    if (this.#isInitialized) {
      this.#refuse({ code: "already_initialized", message: "protocol_init came before", ...reply });
      return;
    }
    if (message.version !== 1 && message.version !== 2) {
      const words = `version ${message.version} is not supported; 1 and 2 are`;
      this.#refuse({ code: "unsupported_version", message: words, ...reply }, false);
      this.#fail();
      return;
    }
    this.#isInitialized = true;
    this.#session.configure(message);
    this.#acknowledge(reply);
    this.#session.start(message);
  }

  #acknowledge(reply: { in_reply_to?: string }): void {
    const { sessionId } = this.#session;
    this.#writer.send({
      type: "protocol_ack",
      version: 2,
      instance_id: crypto.randomUUID(),
      tugtalk_version: packageJson.version,
      ...(sessionId !== undefined && { session_id: sessionId }),
      capabilities: { inbound: [...INBOUND_TYPES] },
      ...reply,
    });
  }
}

/** Loaded only where a host asks: most never do. */
async function readPast(
  directory: string,
  request: SessionList | SessionHistory,
): Promise<OutboundDraft> {
  return request.type === "session_list"
    ? (await import("./transcript-list.ts")).listSessions(directory, request)
    : (await import("./transcript-history.ts")).readHistory(directory, request);
}

function placeOf({ id }: InboundMessage): { in_reply_to?: string } {
  return id === undefined ? {} : { in_reply_to: id };
}
