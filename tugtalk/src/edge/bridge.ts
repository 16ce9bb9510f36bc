/**
 * One session for one host: each checked message goes to the method of the session that handles it.
 * Gets its ports, a clock and a way to start Claude; knows no pipe, process or command line.
 */
import packageJson from "../../../package.json" with { type: "json" };
import { HistoryRequests } from "../history/history-requests.ts";
import type { PastConversations, PastRequest } from "../history/past-conversations.ts";
import { TranscriptMirror } from "../history/transcript-mirror.ts";
import { replyTo } from "../messages/envelope.ts";
import { errorMessage, TugtalkError } from "../messages/errors.ts";
import type { HookAnswer } from "../messages/hook-messages.ts";
import type { HostToolAnswer, HostTools } from "../messages/host-tool-messages.ts";
import type { ProtocolInit } from "../messages/protocol-init.ts";
import type { TranscriptRestore } from "../messages/transcript-messages.ts";
import type { SessionPorts } from "../session/session-ports.ts";
import { SessionManager } from "../session.ts";
import type { InboundMessage, OutboundDraft, Shutdown } from "../types.ts";
import { HeldLines } from "./held-lines.ts";
import type { HostEnd } from "./host-end.ts";
import type { InboundLine, InboundProblem } from "./inbound-line.ts";
import { INBOUND_TYPES } from "./plain-checks.generated.ts";

/** The machine as a bridge needs it. */
export type BridgePorts = PastConversations &
  Pick<SessionPorts, "spawn" | "writeSecretFile" | "clock" | "onFatal"> & {
    /** Ids of the `process` are never the same twice, even where the others can be repeated. */
    readonly newId: (of?: "process") => string;
    readonly log: (level: "warn" | "error", message: string) => void;
  };

export class Bridge {
  readonly #ports: BridgePorts;
  readonly #host: HostEnd;
  readonly #session: SessionManager;
  readonly #history: HistoryRequests;
  #mirror: TranscriptMirror | undefined;
  readonly #lines: HeldLines;
  #isInitialized = false;
  #isDraining = false;

  constructor(ports: BridgePorts, host: HostEnd) {
    this.#ports = ports;
    this.#host = host;
    const { send, sendRepeated: emitRepeated, flush, drained } = host;
    const emit = (message: OutboundDraft) => {
      send(message);
      this.#mirror?.observe(message);
    };
    const { past, lastSession } = ports;
    this.#session = new SessionManager({
      ...ports,
      emit,
      emitRepeated,
      flush,
      drained,
      beforeExit: () => this.#mirror?.settle(),
      past: { ...past, lastSessionId: lastSession.read },
      keepSessionId: lastSession.keep,
      onFatal: () => this.#fail(),
      onFault: (message) => ports.log("error", message),
    });
    this.#history = new HistoryRequests({ read: ports.readPast, emit: send, flush });
    this.#lines = new HeldLines(
      (line) => this.#take(line),
      () => this.#history.restored(),
    );
  }

  /** No `protocol_init` was accepted, and none waits. */
  get isUnused(): boolean {
    return !this.#isInitialized && !this.#lines.isHolding;
  }

  /** Resolves when further lines may come; undefined if they may. */
  get room(): Promise<void> | undefined {
    return this.#lines.room;
  }

  /** Handles one line of the host. An error of ours must not end the session. */
  receive(line: InboundLine): void {
    this.#lines.receive(line);
  }

  #take(line: InboundLine): void {
    try {
      if ("problem" in line) this.#refuse(line.problem);
      else this.#dispatch(line.message);
    } catch (thrown) {
      this.#emitFault(thrown, { recoverable: true, source: "host" });
    }
  }

  /** The host's input has ended: ends Claude. Resolves when every answer has been sent. */
  async end(drain: boolean): Promise<void> {
    await this.#lines.settled();
    await this.#session.shutdown(this.#isDraining || drain);
    await this.#history.settled();
    await this.#ports.transcript.dropRestore();
    await this.#ports.lastSession.settled();
  }

  /** Ends Claude, and stops listening. */
  close(): void {
    void this.#session.shutdown(false);
    this.#host.stopListening();
  }

  /** Reports an error that nothing has caught, and ends Claude in the usual way. */
  fault(thrown: unknown): void {
    this.#emitFault(thrown, { recoverable: false });
    this.#fail();
  }

  /** Ends Claude when it has finished. Until then the host's answers to prompts are read. */
  #drain(): void {
    this.#isDraining = true;
    void this.#session.shutdown(true, true).then(() => this.#host.stopListening());
  }

  #fail(): void {
    this.#ports.onFatal();
    this.close();
  }

  #emitFault(thrown: unknown, kind: { recoverable: boolean; source?: "host" }): void {
    const { message } = TugtalkError.from(thrown);
    this.#ports.log("error", message);
    this.#host.send(errorMessage("internal", message, kind));
  }

  #refuse(problem: InboundProblem, recoverable = true): void {
    // Only the code is logged: the message may quote the line.
    this.#ports.log("warn", `refused a line of the host: ${problem.code}`);
    const { code, message, ...reply } = problem;
    this.#host.send(errorMessage(code, message, { ...reply, recoverable, source: "host" }));
  }

  #dispatch(message: InboundMessage): void {
    if (message.type === "protocol_init") this.#initialize(message);
    else if (isPastRequest(message)) this.#askPast(message);
    else if (this.#isInitialized) this.#handle(message);
    else {
      const reply = replyTo(message);
      this.#refuse({ code: "not_initialized", message: "protocol_init comes first", ...reply });
    }
  }

  #askPast(request: PastRequest): void {
    const isCurrent = request.type === "transcript_restore" && this.#isInitialized;
    if (isCurrent && request.session_id === this.#session.sessionId)
      this.#host.send(inUse(request));
    else this.#history.add(request);
  }

  #handle(message: SessionMessage | Shutdown): void {
    if (message.type !== "shutdown") dispatchToSession(this.#session, message);
    else if (message.drain === true) this.#drain();
    else this.close();
  }

  #initialize(message: ProtocolInit): void {
    const reply = replyTo(message);
    if (this.#isInitialized) {
      this.#refuse({
        code: "already_initialized",
        message: "protocol_init was sent before",
        ...reply,
      });
      return;
    }
    if (message.version !== 1 && message.version !== 2) {
      const text = `version ${message.version} is not supported; 1 and 2 are`;
      this.#refuse({ code: "unsupported_version", message: text, ...reply }, false);
      this.#fail();
      return;
    }
    this.#isInitialized = true;
    this.#ports.configure(message);
    this.#session.configure(message);
    if (message.options?.transcript_mirror === true) this.#openMirror();
    this.#acknowledge(reply);
    this.#session.start(message);
  }

  #openMirror(): void {
    const { clock, transcript } = this.#ports;
    const { send: emit, flush } = this.#host;
    this.#mirror = new TranscriptMirror({ next: transcript.next, emit, flush, clock });
  }

  #acknowledge(reply: { in_reply_to?: string }): void {
    const { sessionId } = this.#session;
    this.#host.send({
      type: "protocol_ack",
      version: 2,
      instance_id: this.#ports.newId("process"),
      tugtalk_version: packageJson.version,
      ...(sessionId !== undefined && { session_id: sessionId }),
      capabilities: { inbound: [...INBOUND_TYPES] },
      ...reply,
    });
  }
}

/** The messages that the session handles. */
type SessionMessage = Exclude<InboundMessage, ProtocolInit | PastRequest | Shutdown>;

function isPastRequest(message: InboundMessage): message is PastRequest {
  const { type } = message;
  return type === "session_list" || type === "session_history" || type === "transcript_restore";
}

function inUse({ session_id, part = 1, ...request }: TranscriptRestore): OutboundDraft {
  return {
    type: "transcript_restore_result",
    session_id,
    part,
    ok: false,
    is_written: false,
    reason: "in_use",
    message: `${session_id} is the current conversation`,
    ...replyTo(request),
  };
}

function dispatchToSession(session: SessionManager, message: SessionMessage): void {
  switch (message.type) {
    case "user_message":
      session.handleUserMessage(message);
      break;
    case "tool_approval":
      session.handleToolApproval(message);
      break;
    case "question_answer":
    case "elicitation_answer":
    case "dialog_answer":
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
    case "stop_task":
      session.handleStopTask(message);
      break;
    default:
      dispatchFromProgram(session, message);
  }
}

/** Messages of the host's program, and not of a person. */
function dispatchFromProgram(
  session: SessionManager,
  message: HostTools | HostToolAnswer | HookAnswer,
): void {
  switch (message.type) {
    case "host_tools":
      session.handleHostTools(message);
      break;
    case "host_tool_answer":
    case "hook_answer":
      session.handleProgramAnswer(message);
      break;
    default:
      // A message without its case does not compile.
      message satisfies never;
  }
}
