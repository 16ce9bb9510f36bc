/**
 * One host served over one pair of pipes: its lines are checked and go each to the method of the
 * session that they are for, until the input ends or the end is asked for. Is given its pipes, its
 * clock and a way to start Claude; knows neither the process that it runs in nor its arguments.
 */
import packageJson from "../../../package.json" with { type: "json" };
import type { Clock } from "../base/clock.ts";
import { isOverlong, type Line, LineSplitter } from "../base/lines.ts";
import { HistoryRequests } from "../history/history-requests.ts";
import { type HostWriter, openHostWriter, type Sink } from "../ipc.ts";
import { replyTo } from "../messages/envelope.ts";
import { TugtalkError } from "../messages/errors.ts";
import type { SessionHistory, SessionList } from "../messages/history-messages.ts";
import type { SessionOptions } from "../messages/options.ts";
import type { SessionPorts } from "../session/session-ports.ts";
import type { PastSessions } from "../session/session-search.ts";
import { SessionManager } from "../session.ts";
import {
  INBOUND_TYPES,
  type InboundMessage,
  type OutboundDraft,
  type ProtocolInit,
} from "../types.ts";
import { type InboundProblem, parseInboundLine } from "./inbound-line.ts";

/** Where bytes of the host come from. */
export type HostInput = {
  readonly read: () => Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  /** A read that is under way ends as if the input had. */
  readonly cancel: () => Promise<void>;
};

/** Where the id of the last conversation is kept. */
export type LastSessionStore = {
  readonly read: () => Promise<string | undefined>;
  readonly keep: (sessionId: string) => void;
  /** Resolves when what is to be kept is kept. */
  readonly settled: () => Promise<void>;
};

/** The world of a bridge. */
export type BridgePorts = Pick<SessionPorts, "spawn" | "writeSecretFile" | "newId"> & {
  /** The host's choices are known: what is asked of the machine is asked as they say. */
  readonly configure: (options: SessionOptions) => void;
  readonly past: Omit<PastSessions, "lastSessionId">;
  /** The last conversation of the folder, on disk. */
  readonly lastSession: LastSessionStore;
  readonly input: HostInput;
  readonly output: Sink;
  readonly clock: Clock;
  readonly log: (level: "warn" | "error", words: string) => void;
  /** Answers a question about past conversations. */
  readonly readPast: (request: SessionList | SessionHistory) => Promise<OutboundDraft>;
  /** Nothing can be done: the exit code is to be 1. */
  readonly onFatal: () => void;
  /** The longest line of the host's, in bytes. */
  readonly maxLineBytes: number;
  readonly onEof: "interrupt" | "drain";
};

/** Answers that the host does not read are let to grow to this, in characters; then its input waits. */
const MAX_BACKLOG = 8 * 1024 * 1024;

export class Bridge {
  readonly #ports: BridgePorts;
  readonly #writer: HostWriter;
  readonly #session: SessionManager;
  readonly #history: HistoryRequests;
  #isInitialized = false;
  #isDraining = false;

  constructor(ports: BridgePorts) {
    this.#ports = ports;
    this.#writer = openHostWriter(ports.output, () => this.close());
    const { send: emit, drained } = this.#writer;
    const { spawn, writeSecretFile, clock, newId, past } = ports;
    const { lastSession, readPast: read } = ports;
    this.#session = new SessionManager({
      spawn,
      writeSecretFile,
      emit,
      drained,
      clock,
      newId,
      past: { ...past, lastSessionId: lastSession.read },
      keepSessionId: lastSession.keep,
      onFatal: () => this.#fail(),
      onFault: (words) => ports.log("error", words),
    });
    this.#history = new HistoryRequests({ read, emit, drained });
  }

  /** Serves the host until its input ends, `close` is called or nothing can be done; then ends Claude. */
  async run(): Promise<void> {
    await this.#readHost();
    await this.#session.shutdown(this.#isDraining || this.#ports.onEof === "drain");
    await this.#history.settled();
    await this.#ports.lastSession.settled();
    await this.#writer.drained();
  }

  /** Ends Claude, and stops listening, which ends `run`. */
  close(): void {
    void this.#session.shutdown(false);
    this.#stopListening();
  }

  /** Ends for a fault of ours that nothing has caught: the host is told why, and Claude is ended as always. */
  fault(thrown: unknown): void {
    this.#emitFault(thrown, { recoverable: false });
    this.#fail();
  }

  async #readHost(): Promise<void> {
    const lines = new LineSplitter(this.#ports.maxLineBytes);
    let bufferedChars = 0;
    for (;;) {
      const { done, value } = await this.#ports.input.read();
      if (done || value === undefined) break;
      const before = this.#writer.total();
      for (const line of lines.feed(value)) this.#take(line);
      // What Claude says waits elsewhere: it must not keep an interrupt from being heard.
      const answers = this.#writer.total() - before;
      bufferedChars = this.#writer.backlog() === answers ? answers : bufferedChars + answers;
      if (bufferedChars <= MAX_BACKLOG) continue;
      await this.#writer.drained();
      bufferedChars = 0;
    }
    for (const line of lines.end()) this.#take(line);
  }

  /** Ends Claude when it is done. Until then the host is heard: it has prompts to answer. */
  #drain(): void {
    this.#isDraining = true;
    void this.#session.shutdown(true, true).then(() => this.#stopListening());
  }

  #stopListening(): void {
    void this.#ports.input.cancel();
  }

  #fail(): void {
    this.#ports.onFatal();
    this.close();
  }

  /** One line that we stumble over must not end the session. */
  #take(line: Line): void {
    try {
      this.#heed(line);
    } catch (thrown) {
      this.#emitFault(thrown, { recoverable: true, source: "host" });
    }
  }

  #emitFault(thrown: unknown, kind: { recoverable: boolean; source?: "host" }): void {
    const { message } = TugtalkError.from(thrown);
    this.#ports.log("error", message);
    this.#writer.send({ type: "error", code: "internal", message, ...kind });
  }

  #heed(line: Line): void {
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
    // Not the message, which may quote the line.
    this.#ports.log("warn", `a line of the host's was refused: ${problem.code}`);
    this.#writer.send({ type: "error", ...problem, recoverable, source: "host" });
  }

  #dispatch(message: InboundMessage): void {
    if (message.type === "protocol_init") this.#initialize(message);
    else if (this.#isInitialized) this.#handle(message);
    else
      this.#refuse({
        code: "not_initialized",
        message: "protocol_init comes first",
        ...replyTo(message),
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
        else this.close();
    }
  }

  #initialize(message: ProtocolInit): void {
    const reply = replyTo(message);
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
    this.#ports.configure(message.options ?? {});
    this.#session.configure(message);
    this.#acknowledge(reply);
    this.#session.start(message);
  }

  #acknowledge(reply: { in_reply_to?: string }): void {
    const { sessionId } = this.#session;
    this.#writer.send({
      type: "protocol_ack",
      version: 2,
      instance_id: this.#ports.newId(),
      tugtalk_version: packageJson.version,
      ...(sessionId !== undefined && { session_id: sessionId }),
      capabilities: { inbound: [...INBOUND_TYPES] },
      ...reply,
    });
  }
}
