/**
 * The session: the one owner of mutable state, and the front door of the bridge. Holds what outlives
 * a Claude process: the conversation in hand, the settings in force, the queue. Is given a way to
 * start processes and a way to tell the host; knows no pipe and no clock of its own.
 */
import { TugtalkError } from "./errors.ts";
import { HostRequests, replyTo } from "./host-requests.ts";
import { LiveSettings } from "./live-settings.ts";
import { MessageQueue, type Rejection } from "./message-queue.ts";
import { OPTION_DEFAULTS, type SessionOptions } from "./options.ts";
import { RestartBudget } from "./restart-budget.ts";
import { SessionIdentity } from "./session-identity.ts";
import { Supervisor, type SupervisorDeps } from "./supervisor.ts";
import type {
  Interrupt,
  ModelChange,
  OutboundDraft,
  PermissionModeMessage,
  ProtocolInit,
  QuestionAnswer,
  SessionChoice,
  SessionCommand,
  StopTask,
  ToolApproval,
  TurnCancelled,
  UserMessageInput,
} from "./types.ts";

export { buildClaudeArgs, type ClaudeSpawnConfig } from "./claude-args.ts";
export { routeTopLevelEvent, type TopLevelRoutingResult } from "./router.ts";
export { type EventMappingResult, mapStreamEvent } from "./stream-events.ts";

/** What a session is given; tests give it arrays and a clock that they drive. */
export type SessionDeps = Omit<SupervisorDeps, "spawn"> & {
  readonly spawn: (
    args: readonly string[],
    options: SessionOptions,
  ) => ReturnType<SupervisorDeps["spawn"]>;
  /** The newest conversation of the folder, from Claude's transcripts. */
  readonly newestSessionId: () => Promise<string | undefined>;
  /** Claude cannot be started at all: the bridge is to end with exit code 1. */
  readonly onFatal: () => void;
};

export class SessionManager {
  readonly #deps: SessionDeps;
  readonly #supervisor: Supervisor;
  readonly #requests: HostRequests;
  readonly #identity: SessionIdentity;
  readonly #restarts: RestartBudget;
  readonly #queue = new MessageQueue();
  readonly #gone = Promise.withResolvers<void>();
  #settings = new LiveSettings(undefined, undefined);
  #options: SessionOptions = {};
  #hasBeenReady = false;
  #closing: "drain" | "now" | undefined;
  /** Somebody is there to answer prompts. */
  #hasHost = true;
  /** Starts and stops, one after the other. Nothing is handed over while one is under way. */
  #changes: Promise<void> = Promise.resolve();
  #openChanges = 0;
  /** The conversation in hand is being left for another. */
  #isLeaving = false;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.#identity = new SessionIdentity(deps.newId);
    this.#restarts = new RestartBudget(deps.clock.now);
    this.#supervisor = new Supervisor(
      { ...deps, spawn: (args) => deps.spawn(args, this.#options) },
      {
        onReady: () => this.#ready(),
        onSessionId: (id) => this.#tell(this.#identity.note(id)),
        onProgress: () => this.#pump(),
        willRestart: () => this.#closing === undefined && !this.#isLeaving && this.#restarts.isLeft,
        onExit: (failure) => this.#exited(failure),
      },
    );
    this.#requests = new HostRequests(() => this.#supervisor.run, deps.emit);
  }

  /** The id of the conversation in hand, once one is chosen. */
  get sessionId(): string | undefined {
    return this.#identity.id;
  }

  /** Takes the host's choices. What is known of the session without asking anybody is known then. */
  configure({ session, model, permission_mode, options = {} }: ProtocolInit): void {
    this.#options = options;
    this.#settings = new LiveSettings(permission_mode, model);
    if (session === undefined || session.mode === "new")
      this.#identity.choose(session ?? { mode: "new" }, undefined);
    else if (session.mode === "resume") this.#identity.choose(session, undefined);
  }

  /** Starts Claude. The host has its answer to `protocol_init` by now. */
  start({ session }: ProtocolInit): void {
    const needsNewest = session?.mode === "continue" || session?.mode === "fork";
    this.#change(() => (needsNewest ? this.#begin(session) : this.#spawn()));
  }

  handleUserMessage(input: UserMessageInput): void {
    const messageId = input.message_id ?? this.#deps.newId();
    const { max_queued = OPTION_DEFAULTS.max_queued } = this.#options;
    const rejection = this.#refusal() ?? this.#queue.accept(input, messageId, max_queued);
    if (rejection !== undefined) {
      this.#reject(input, messageId, rejection);
      return;
    }
    const receipt = { type: "message_status", message_id: messageId, status: "queued" } as const;
    this.#deps.emit({ ...receipt, ...replyTo(input) });
    if (input.delivery === "steer") this.#steer();
    this.#pump();
  }

  handleToolApproval(approval: ToolApproval): void {
    this.#requests.answer(approval, this.#supervisor.permissions.decideApproval(approval));
  }

  handleQuestionAnswer(answer: QuestionAnswer): void {
    this.#requests.answer(answer, this.#supervisor.permissions.decideAnswer(answer));
  }

  handleInterrupt(message: Interrupt): void {
    const cancelled = message.cancel_queued === true ? this.#cancelQueue("interrupted") : undefined;
    const turnId = this.#supervisor.run?.openTurnId;
    const known = {
      still_queued: this.#queue.ids,
      ...(cancelled !== undefined && { cancelled }),
      ...(turnId !== undefined && { turn_id: turnId }),
    };
    this.#supervisor.run?.noteInterrupt();
    if (turnId !== undefined) this.#insist(turnId);
    this.#requests.ask({ subtype: "interrupt" }, message, { known, isFineWithoutClaude: true });
  }

  handlePermissionMode(message: PermissionModeMessage): void {
    const body = { subtype: "set_permission_mode", mode: message.mode };
    const onAccepted = () => this.#deps.emit(this.#settings.chooseMode(message.mode));
    this.#requests.ask(body, message, { onAccepted, isFineWithoutClaude: true });
  }

  handleModelChange(message: ModelChange): void {
    const body = { subtype: "set_model", model: message.model };
    const onAccepted = () => this.#deps.emit(this.#settings.chooseModel(message.model));
    this.#requests.ask(body, message, { onAccepted, isFineWithoutClaude: true });
  }

  handleStopTask(message: StopTask): void {
    this.#requests.ask({ subtype: "stop_task", task_id: message.task_id }, message);
  }

  handleSessionCommand(message: SessionCommand): void {
    const choice = choiceOf(message, this.#identity.source);
    const isTaken = choice !== undefined && this.#closing === undefined;
    this.#deps.emit({
      type: "control_result",
      subtype: "session_command",
      ok: isTaken,
      ...(!isTaken && {
        error: choice === undefined ? "resume needs a session_id" : "shutting down",
      }),
      ...replyTo(message),
    });
    if (!isTaken) return;
    this.#cancelQueue("session_command");
    this.#change(async () => {
      this.#isLeaving = true;
      await this.#supervisor.stop("session_command");
      this.#isLeaving = false;
      await this.#begin(choice);
    });
  }

  /** Leaves the conversation in hand for a branch of it. */
  handleSessionFork(): void {
    this.handleSessionCommand({ type: "session_command", command: "fork" });
  }

  /** Leaves the conversation in hand for the newest one of the folder. */
  handleSessionContinue(): void {
    this.handleSessionCommand({ type: "session_command", command: "continue" });
  }

  /** Leaves the conversation in hand for a new one. */
  handleNewSession(): void {
    this.handleSessionCommand({ type: "session_command", command: "new" });
  }

  /**
   * Ends Claude; resolves when it is gone. With `drain` what runs and what waits is finished first, as
   * far as it can be: without `hasHost` nobody answers a prompt any more, so the first one ends it.
   */
  shutdown(drain: boolean, hasHost = false): Promise<void> {
    if (this.#closing === "now") return this.#gone.promise;
    this.#closing = drain ? "drain" : "now";
    this.#hasHost = hasHost;
    if (drain) this.#pump();
    else this.#close();
    return this.#gone.promise;
  }

  #close(): void {
    this.#closing = "now";
    this.#cancelQueue("shutdown");
    this.#change(async () => {
      await this.#supervisor.stop("shutdown");
      this.#gone.resolve();
    });
  }

  // ------------------------------------------------------------------------------ starts and ends

  #change(change: () => void | Promise<void>): void {
    this.#openChanges += 1;
    this.#changes = this.#changes
      .then(change)
      .catch((error: unknown) => this.#startFailed(TugtalkError.from(error)))
      .finally(() => {
        this.#openChanges -= 1;
        this.#pump();
      });
  }

  async #begin(choice: SessionChoice): Promise<void> {
    const isNewestWanted = choice.mode === "continue" || choice.mode === "fork";
    this.#identity.choose(choice, isNewestWanted ? await this.#deps.newestSessionId() : undefined);
    this.#spawn();
  }

  #spawn(): void {
    if (this.#closing === "now") return;
    const { model, mode } = this.#settings;
    const { shutdown_grace_ms: graceMs = OPTION_DEFAULTS.shutdown_grace_ms } = this.#options;
    this.#supervisor.start({
      config: { ...this.#identity.args, model, permissionMode: mode, options: this.#options },
      settings: this.#settings,
      costBaseline: this.#identity.startsFromNothing ? 0 : undefined,
      graceMs,
    });
  }

  #ready(): void {
    this.#hasBeenReady = true;
    this.#tell(this.#identity.announce());
  }

  #exited(failure: TugtalkError | undefined): void {
    if (this.#closing === "drain") this.#close();
    else if (failure !== undefined) this.#startFailed(failure);
    else this.#pump();
  }

  #startFailed(failure: TugtalkError): void {
    const isFatal = !this.#hasBeenReady && failure.code !== "resume_failed";
    this.#deps.emit({
      type: "error",
      code: failure.code,
      message: failure.message,
      recoverable: !isFatal,
      ...(failure.reason !== undefined && { reason: failure.reason }),
    });
    this.#cancelQueue(failure.code);
    if (isFatal) this.#deps.onFatal();
  }

  get #isDown(): boolean {
    return this.#supervisor.run === undefined && this.#openChanges === 0;
  }

  /** A message waits and no process is there to take it. */
  #revive(): void {
    this.#restarts.spend();
    this.#identity.keep();
    this.#change(() => this.#spawn());
  }

  /** An interrupted turn that does not end is ended with its process; the conversation goes on in the next. */
  #insist(turnId: string): void {
    const { interrupt_timeout_ms: patience = OPTION_DEFAULTS.interrupt_timeout_ms } = this.#options;
    this.#deps.clock.setTimer(() => {
      if (this.#supervisor.run?.openTurnId !== turnId) return;
      const message = `claude did not end the interrupted turn in ${patience} ms: it is stopped`;
      this.#deps.emit({ type: "error", code: "claude_unresponsive", message, recoverable: true });
      this.#change(() => this.#supervisor.stop("stalled"));
    }, patience);
  }

  // ------------------------------------------------------------------------------------- messages

  /** Does what is next: hands over a message, starts Claude for one, or ends what is drained. */
  #pump(): void {
    if (this.#openChanges > 0) return;
    const { run } = this.#supervisor;
    if (this.#closing === "drain" && this.#isDrained) this.#close();
    else if (run?.isIdle === true) this.#handOverNext();
    else if (run === undefined && this.#queue.length > 0) this.#revive();
  }

  #handOverNext(): void {
    const next = this.#queue.shift();
    if (next !== undefined) this.#supervisor.run?.handOver(next);
  }

  get #isDrained(): boolean {
    const { run } = this.#supervisor;
    if (run === undefined) return true;
    return this.#isStuck || (run.isIdle && this.#queue.length === 0);
  }

  get #isStuck(): boolean {
    return !this.#hasHost && this.#supervisor.permissions.isAsking;
  }

  /** Hands the newest message to a Claude that works. To an idle one it goes like any other. */
  #steer(): void {
    const { run } = this.#supervisor;
    if (this.#openChanges > 0 || run?.openTurnId === undefined) return;
    const newest = this.#queue.pop();
    if (newest !== undefined) run.handOver(newest);
  }

  #refusal(): Rejection | undefined {
    if (this.#closing !== undefined)
      return { code: "message_rejected", message: "tugtalk is shutting down" };
    if (!this.#isDown || this.#restarts.isLeft) return undefined;
    return {
      code: "claude_exited",
      message: "claude keeps ending: started three times in a minute; wait a minute",
    };
  }

  #reject(input: UserMessageInput, messageId: string, rejection: Rejection): void {
    const { code, message, isRepeat } = rejection;
    const error = { type: "error", code, message, recoverable: true, source: "host" } as const;
    this.#deps.emit({ ...error, message_id: messageId, ...replyTo(input) });
    // The receipts of an id that is in use are those of the first message that had it.
    if (isRepeat !== true)
      this.#deps.emit({ type: "message_status", message_id: messageId, status: "rejected" });
  }

  #cancelQueue(reason: TurnCancelled["reason"] | string): string[] {
    const ids = this.#queue.clear();
    for (const id of ids) {
      this.#deps.emit({ type: "message_status", message_id: id, status: "cancelled", reason });
    }
    return ids;
  }

  #tell(messages: readonly OutboundDraft[]): void {
    for (const message of messages) this.#deps.emit(message);
  }
}

/** The conversation that a command asks for; nothing where it does not say which. */
function choiceOf(
  { command, session_id }: SessionCommand,
  current: string | undefined,
): SessionChoice | undefined {
  switch (command) {
    case "new":
      return { mode: "new", session_id };
    case "continue":
      return { mode: "continue" };
    case "fork":
      // A branch of a conversation in which nothing was said is a new one.
      return session_id === undefined && current === undefined
        ? { mode: "new" }
        : { mode: "fork", session_id: session_id ?? current };
    case "resume":
      return session_id === undefined ? undefined : { mode: "resume", session_id };
  }
}
