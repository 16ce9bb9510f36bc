/**
 * Which Claude is running, and which comes next: starts, restarts, changes of conversation, the end.
 * Holds what outlives a process: the conversation in hand and the settings in force. One change at a
 * time; nothing is handed to Claude while one is under way. Contract: Start, `session_command`.
 */

import { BoundedSet } from "../base/bounded-map.ts";
import { backpressureClock } from "../base/clock.ts";
import { SerialQueue } from "../base/serial-queue.ts";
import { LiveSettings } from "../claude/live-settings.ts";
import { TugtalkError } from "../messages/errors.ts";
import { OPTION_DEFAULTS, type SessionOptions } from "../messages/options.ts";
import type { ProtocolInit } from "../messages/protocol-init.ts";
import { REMEMBERED_PROMPTS } from "../permissions.ts";
import type { Run } from "../run/run.ts";
import type { OutboundDraft, SessionCommand } from "../types.ts";
import { RestartBudget } from "./restart-budget.ts";
import { branchesInHand, type WantedSession, wantedBy } from "./session-choice.ts";
import { SessionIdentity } from "./session-identity.ts";
import type { SessionPorts } from "./session-ports.ts";
import { findSession, namedSession } from "./session-search.ts";
import { SharedTurns } from "./shared-turns.ts";
import { Supervisor } from "./supervisor.ts";

/** What a lifecycle needs to know of the messages that wait, and tells about them. */
export type LifecycleEvents = {
  readonly hasWaiting: () => boolean;
  /** The next message may be handed over. */
  readonly onIdle: (run: Run) => void;
  /** No message that waits will be handed over. */
  readonly onAbandoned: (reason: string) => void;
};

/** Starts and stops that may be open; a further `session_command` is refused. */
const MAX_OPEN_CHANGES = 16;

/** Why no process is started for a message: the last ones ended too fast. */
export const RESTART_LIMIT = {
  code: "claude_exited",
  message: "claude keeps ending: started three times in a minute; wait a minute",
} as const;

export class Lifecycle {
  readonly #deps: SessionPorts;
  readonly #events: LifecycleEvents;
  readonly #supervisor: Supervisor;
  readonly #identity: SessionIdentity;
  readonly #restarts: RestartBudget;
  /** The ids of the prompts that any process asked and that are settled, the newest of them. */
  readonly settledPrompts = new BoundedSet<string>(REMEMBERED_PROMPTS);
  readonly #sharedTurns = new SharedTurns();
  readonly #gone = Promise.withResolvers<void>();
  #settings = new LiveSettings(undefined, undefined);
  #options: SessionOptions = {};
  #hasBeenReady = false;
  /** The id that was kept on disk last. */
  #keptId: string | undefined;
  #closing: "drain" | "now" | undefined;
  /** Somebody is there to answer prompts. */
  #hasHost = true;
  /** Starts and stops of processes. */
  readonly #changes = new SerialQueue({ limit: MAX_OPEN_CHANGES, onSettled: () => this.step() });
  /** The conversation in hand is being left for another. */
  #isLeaving = false;

  constructor(deps: SessionPorts, events: LifecycleEvents) {
    this.#deps = deps;
    this.#events = events;
    this.#identity = new SessionIdentity(deps.newId);
    this.#restarts = new RestartBudget(deps.clock.now);
    this.#supervisor = new Supervisor(
      {
        ...deps,
        backpressureClock: backpressureClock(deps.clock, deps.drained),
        settledPrompts: this.settledPrompts,
        spawn: (args) => deps.spawn(args, this.#options),
        emit: (message) => {
          this.#sharedTurns.note(message);
          deps.emit(message);
        },
      },
      {
        onReady: () => this.#ready(),
        onSessionId: (id) => this.#noteSessionId(id),
        onProgress: () => this.step(),
        onUnresponsive: () => this.#change(() => this.#supervisor.stop("stalled")),
        willRestart: (failure) => this.#willRestart(failure),
        onExit: (failure) => this.#exited(failure),
      },
    );
  }

  get identity(): SessionIdentity {
    return this.#identity;
  }

  get settings(): LiveSettings {
    return this.#settings;
  }

  get options(): SessionOptions {
    return this.#options;
  }

  /** The run of the process in hand. */
  get run(): Run | undefined {
    return this.#supervisor.run;
  }

  /** The run, as long as what is written to it can be answered. */
  get liveRun(): Run | undefined {
    return this.run?.isEnding === false ? this.run : undefined;
  }

  /** The end has begun: nothing new is taken. */
  get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  /** A process is being started or stopped. */
  get isChanging(): boolean {
    return this.#changes.isBusy;
  }

  /** So many changes wait that a further one is not taken. */
  get isFull(): boolean {
    return this.#changes.isFull;
  }

  /** No process is there, and none may be started for a while. */
  get isRestartLimited(): boolean {
    return this.run === undefined && !this.isChanging && !this.#restarts.isLeft;
  }

  /** Takes the host's choices. What is known of the session without asking anybody is known then. */
  configure({
    session = { mode: "new" },
    model,
    permission_mode,
    options = {},
  }: ProtocolInit): void {
    this.#options = options;
    this.#settings = new LiveSettings(permission_mode, model);
    const named = namedSession(session);
    if (named !== undefined) this.#identity.choose(named);
  }

  /** Starts the first Claude. */
  start({ session = { mode: "new" } }: ProtocolInit): void {
    this.#change(() => (namedSession(session) ? this.#spawn() : this.#begin({ choice: session })));
  }

  /** Leaves the conversation in hand for another one, which may depend on the one that is left. */
  leaveFor(command: SessionCommand): void {
    this.#change(async () => {
      this.#isLeaving = true;
      await this.#supervisor.stop("session_command");
      this.#isLeaving = false;
      if (branchesInHand(command)) await this.#settlePlace();
      await this.#begin(wantedBy(command, this.#identity.current));
    });
  }

  /**
   * Ends Claude; resolves when it is gone. With `drain` what runs and what waits is finished first, as
   * far as it can be: without `hasHost` nobody answers a prompt any more, so the first one ends it.
   */
  shutdown(drain: boolean, hasHost: boolean): Promise<void> {
    if (this.#closing === "now") return this.#gone.promise;
    this.#closing = drain ? "drain" : "now";
    this.#hasHost = hasHost;
    if (drain) this.step();
    else this.#close();
    return this.#gone.promise;
  }

  /** Does what is next: hands over a message, starts Claude for one, or ends what is drained. */
  step(): void {
    if (this.isChanging) return;
    const { run } = this;
    if (this.#closing === "drain" && this.#isDrained) this.#close();
    else if (run?.isIdle === true) this.#events.onIdle(run);
    else if (run === undefined && this.#events.hasWaiting()) this.#restart();
  }

  get #isDrained(): boolean {
    const isStuck = !this.#hasHost && this.run?.isAsking === true;
    return isStuck || (this.run?.isIdle !== false && !this.#events.hasWaiting());
  }

  #close(): void {
    this.#closing = "now";
    this.#events.onAbandoned("shutdown");
    this.#change(async () => {
      await this.#supervisor.stop("shutdown");
      this.#gone.resolve();
    });
  }

  async #begin({ choice, place }: WantedSession): Promise<void> {
    // What was still to begin when the end came begins no more.
    if (this.#closing === "now") return;
    const { past } = this.#deps;
    const found = await findSession(choice, {
      ...past,
      findPlace: (id, message) => past.findPlace(id, message, ...this.#sharedTurns.after(message)),
    });
    this.#identity.choose({ place, ...found });
    this.#spawn();
  }

  /** A turn has begun under this id: from here on it can be resumed. */
  #noteSessionId(id: string): void {
    this.#emit(this.#identity.note(id));
    if (id === this.#keptId) return;
    this.#keptId = id;
    this.#deps.keepSessionId(id);
  }

  #spawn(): void {
    if (this.#closing === "now") return;
    const { args } = this.#identity;
    const { shutdown_grace_ms: graceMs = OPTION_DEFAULTS.shutdown_grace_ms } = this.#options;
    this.#supervisor.start({
      config: {
        ...args,
        model: this.#settings.modelFor(args.sessionId),
        permissionMode: this.#settings.mode,
      },
      options: this.#settings.over(this.#options),
      settings: this.#settings,
      costBaseline: this.#identity.startsFromNothing ? 0 : undefined,
      graceMs,
    });
  }

  /** A message waits and no process is there to take it. */
  #restart(): void {
    if (!this.#restarts.isLeft) {
      this.#deps.emit({ type: "error", ...RESTART_LIMIT, recoverable: true });
      this.#events.onAbandoned(RESTART_LIMIT.code);
      if (this.#closing === "drain") this.#close();
      return;
    }
    this.#restarts.spend();
    this.#identity.keep();
    this.#change(async () => {
      await this.#settlePlace();
      this.#spawn();
    });
  }

  /** A conversation that was taken up at an earlier place is there once Claude has answered from it. */
  async #settlePlace(): Promise<void> {
    const { id, openPlace } = this.#identity;
    if (id === undefined || openPlace === undefined) return;
    if (await this.#deps.past.hasBranched(id, openPlace)) this.#identity.closePlace();
  }

  #ready(): void {
    this.#hasBeenReady = true;
    this.#emit(this.#identity.announce());
  }

  #exited(failure: TugtalkError | undefined): void {
    if (this.#wasNothing(failure)) this.#identity.beginAnew();
    else if (failure !== undefined) this.#startFailed(failure);
    // Also while another conversation is still to begin: nothing would be said in it.
    if (this.#closing === "drain" && this.#isDrained) this.#close();
    else this.step();
  }

  #willRestart(failure: TugtalkError | undefined): boolean {
    if (this.#closing === "now" || this.#isLeaving || !this.#restarts.isLeft) return false;
    if (this.#wasNothing(failure)) return this.#closing !== "drain" || this.#events.hasWaiting();
    // While it drains no next message comes, and what waits for a start that failed is given up.
    if (this.#closing === "drain") return failure === undefined && this.#events.hasWaiting();
    // Without a conversation in hand a message is refused.
    return failure === undefined || !(endsConversation(failure) || this.#isFatal(failure));
  }

  /** The conversation in hand could not be gone on with, since nothing of it was written. */
  #wasNothing(failure: TugtalkError | undefined): boolean {
    return failure?.reason === "no_such_session" && this.#identity.mayBeEmpty;
  }

  /** There has never been a Claude, and choosing another conversation would not help. */
  #isFatal(failure: TugtalkError): boolean {
    return !this.#hasBeenReady && failure.code !== "resume_failed";
  }

  /** Runs a start or a stop after those before it. After a shutdown nobody waits for a start. */
  #change(change: () => void | Promise<void>): void {
    this.#changes.add(change, (error) => {
      if (this.#closing !== "now") this.#startFailed(TugtalkError.from(error));
    });
  }

  #startFailed(failure: TugtalkError): void {
    const isFatal = this.#isFatal(failure);
    this.#deps.emit({
      type: "error",
      code: failure.code,
      message: failure.message,
      recoverable: !isFatal,
      ...(failure.reason !== undefined && { reason: failure.reason }),
    });
    if (endsConversation(failure)) this.#identity.leave();
    this.#events.onAbandoned(failure.code);
    if (isFatal) this.#deps.onFatal();
  }

  #emit(messages: readonly OutboundDraft[]): void {
    for (const message of messages) this.#deps.emit(message);
  }
}

/** Nothing can be said in the conversation that was asked for: another one has to be chosen. */
function endsConversation({ code, reason }: TugtalkError): boolean {
  return code === "resume_failed" || reason === "id_in_use";
}
