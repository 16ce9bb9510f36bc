/**
 * Starts and stops of Claude processes: the first start, restarts, switches to another conversation,
 * the shutdown. Holds the state that outlives a process: the current conversation and its settings. One
 * change runs at a time, and no message is delivered during a change. Contract: Start, `session_command`.
 */

import { BoundedSet } from "../base/bounded-map.ts";
import { backpressureClock } from "../base/clock.ts";
import { SerialQueue } from "../base/serial-queue.ts";
import { LiveSettings } from "../claude/live-settings.ts";
import { definedFields } from "../messages/envelope.ts";
import { errorMessage, TugtalkError } from "../messages/errors.ts";
import type { HostTool } from "../messages/host-tool-messages.ts";
import { type ConfiguredOptions, OPTION_DEFAULTS } from "../messages/option-defaults.ts";
import type { ProtocolInit, SessionChoice } from "../messages/protocol-init.ts";
import { REMEMBERED_PROMPTS } from "../permissions.ts";
import type { Run } from "../run/run.ts";
import type { OutboundDraft, SessionCommand } from "../types.ts";
import { CurrentSession } from "./current-session.ts";
import { RESTART_LIMIT, RestartPolicy } from "./restart-policy.ts";
import { SessionFiles } from "./session-files.ts";
import type { SessionPorts } from "./session-ports.ts";
import {
  forksCurrent,
  namedTarget,
  resumedId,
  type SessionTarget,
  targetOf,
} from "./session-target.ts";
import { Supervisor } from "./supervisor.ts";

export type LifecycleEvents = {
  readonly hasQueued: () => boolean;
  /** A message may be delivered to this process, if it is idle. */
  readonly onStep: (run: Run) => void;
  /** The queued messages will not be delivered. */
  readonly onQueueDropped: (reason: string) => void;
};

/** Starts and stops that are running or queued; a further `session_command` is refused. */
const MAX_OPEN_CHANGES = 16;

export class Lifecycle {
  readonly #deps: SessionPorts;
  readonly #events: LifecycleEvents;
  readonly #supervisor: Supervisor;
  readonly current: CurrentSession;
  readonly #files: SessionFiles;
  readonly #restarts: RestartPolicy;
  /** The ids of the prompts that any process asked and that are settled, the newest of them. */
  readonly settledPrompts = new BoundedSet<string>(REMEMBERED_PROMPTS);
  readonly #gone = Promise.withResolvers<void>();
  settings = new LiveSettings(undefined, undefined);
  options: ConfiguredOptions = OPTION_DEFAULTS;
  /** The id that was saved last. */
  #savedId: string | undefined;
  #closing: "drain" | "now" | undefined;
  /** A host can answer prompts. */
  #hasHost = true;
  readonly #changes = new SerialQueue({ limit: MAX_OPEN_CHANGES, onSettled: () => this.step() });
  /** A process is stopped to switch to another conversation. */
  #isSwitching = false;

  constructor(deps: SessionPorts, events: LifecycleEvents) {
    this.#deps = deps;
    this.#events = events;
    this.current = new CurrentSession(deps.newId);
    this.#files = new SessionFiles(deps.past, this.current);
    this.#restarts = new RestartPolicy(deps.clock.now, this.current);
    this.#supervisor = new Supervisor(
      {
        ...deps,
        backpressureClock: backpressureClock(deps.clock, deps.drained),
        settledPrompts: this.settledPrompts,
        spawn: (args) => deps.spawn(args, this.options),
        emit: (message) => {
          this.#files.record(message);
          deps.emit(message);
        },
      },
      {
        onReady: () => this.#ready(),
        onSessionId: (id) => this.#recordTurn(id),
        onProgress: () => this.step(),
        onUnresponsive: () => this.#change(() => this.#supervisor.stop("stalled")),
        willRestart: (failure) => this.#willRestart(failure),
        onExit: (failure) => this.#exited(failure),
      },
    );
  }

  /** The run of the current process. */
  get run(): Run | undefined {
    return this.#supervisor.run;
  }

  /** The run, unless its process is ending. */
  get liveRun(): Run | undefined {
    return this.run?.isEnding === false ? this.run : undefined;
  }

  /** The shutdown has begun: nothing new is accepted. */
  get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  /** A process is being started or stopped. */
  get isChanging(): boolean {
    return this.#changes.isBusy;
  }

  /** No further change is accepted. */
  get isFull(): boolean {
    return this.#changes.isFull;
  }

  /** No process runs, and none may be started for a while. */
  get isRestartLimited(): boolean {
    return this.run === undefined && !this.isChanging && !this.#restarts.isLeft;
  }

  /** Applies the host's choices. Sets the current conversation where no file must be read for it. */
  configure(init: ProtocolInit): void {
    const { session = { mode: "new" }, model, permission_mode, options = {} } = init;
    this.options = { ...OPTION_DEFAULTS, ...definedFields(options) };
    this.settings = new LiveSettings(permission_mode, model);
    const target = namedTarget(session);
    if (target !== undefined) this.current.switchTo(target);
  }

  /** The host has other tools from now on, in later processes too. */
  replaceTools(host_tools: readonly HostTool[]): void {
    this.options = { ...this.options, host_tools: [...host_tools] };
    this.run?.replaceTools(host_tools);
  }

  /** Starts the first Claude. */
  start({ session = { mode: "new" } }: ProtocolInit): void {
    this.#change(() =>
      namedTarget(session) ? this.#spawnFor(session) : this.#switchTo({ choice: session }),
    );
  }

  /** Switches to another conversation, which may depend on the current one. */
  switchSession(command: SessionCommand): void {
    this.#change(async () => {
      this.#isSwitching = true;
      await this.#supervisor.stop("session_command");
      this.#isSwitching = false;
      if (forksCurrent(command)) await this.#files.checkResumePoint();
      await this.#switchTo(targetOf(command, this.current.forkSource));
    });
  }

  /**
   * Ends Claude; resolves when its process has exited. With `drain` the open turn and the queued
   * messages are finished first. Without `hasHost` nobody answers, so the first prompt, call or hook ends it.
   */
  shutdown(drain: boolean, hasHost: boolean): Promise<void> {
    if (this.#closing === "now") return this.#gone.promise;
    this.#closing = drain ? "drain" : "now";
    this.#hasHost = hasHost;
    if (drain) this.step();
    else this.#close();
    return this.#gone.promise;
  }

  /** Takes the next step: delivers a message, restarts Claude for a message, or ends a drained session. */
  step(): void {
    if (this.isChanging) return;
    const { run } = this;
    if (this.#closing === "drain" && this.#isDrained) this.#close();
    else if (run !== undefined) this.#events.onStep(run);
    else if (this.#events.hasQueued()) this.#restart();
  }

  get #isDrained(): boolean {
    const isStuck = !this.#hasHost && this.run?.isWaitingForHost === true;
    return isStuck || (this.run?.isIdle !== false && !this.#events.hasQueued());
  }

  #close(): void {
    this.#closing = "now";
    this.#events.onQueueDropped("shutdown");
    this.#change(async () => {
      await this.#supervisor.stop("shutdown");
      this.#gone.resolve();
    });
  }

  async #switchTo(target: SessionTarget): Promise<void> {
    if (this.#closing === "now") return;
    await this.#files.switchTo(target);
    this.#spawnFor(target.choice);
  }

  /** Starts Claude. Files are read meanwhile. */
  #spawnFor(choice: SessionChoice): void {
    const id = resumedId(choice);
    if (id !== undefined) void this.#files.lookForTranscript(id);
    this.#spawn();
  }

  /** Once a turn has begun under this id it can be resumed. */
  #recordTurn(sessionId: string): void {
    this.#emit(this.current.recordTurn(sessionId));
    if (sessionId === this.#savedId) return;
    this.#savedId = sessionId;
    this.#deps.keepSessionId(sessionId);
  }

  #spawn(): void {
    if (this.#closing === "now") return;
    const { spawnArgs } = this.current;
    this.#supervisor.start({
      config: {
        ...spawnArgs,
        model: this.settings.modelFor(spawnArgs.sessionId),
        permissionMode: this.settings.mode,
      },
      options: this.options,
      settings: this.settings,
      costBaseline: this.current.isNew ? 0 : undefined,
    });
  }

  /** Starts Claude for a queued message. */
  #restart(): void {
    if (!this.#restarts.isLeft) {
      this.#deps.emit(errorMessage(RESTART_LIMIT.code, RESTART_LIMIT.message));
      this.#events.onQueueDropped(RESTART_LIMIT.code);
      if (this.#closing === "drain") this.#close();
      return;
    }
    this.#restarts.recordRestart();
    this.current.prepareRestart();
    this.#change(async () => {
      await this.#files.checkResumePoint();
      this.#spawn();
    });
  }

  #ready(): void {
    this.#restarts.recordReady();
    this.#emit(this.current.initMessages);
  }

  #exited(failure: TugtalkError | undefined): void {
    if (this.#restarts.startsAnew(failure)) this.#startAnew();
    else if (failure !== undefined) this.#startFailed(failure);
    // Also before a switch to another conversation: no message would be sent in it.
    if (this.#closing === "drain" && this.#isDrained) this.#close();
    else this.step();
  }

  /** A conversation that the host resumes begins at once; one after `/clear` with the next message. */
  #startAnew(): void {
    const { isUnbegun } = this.current;
    this.current.startAnew();
    if (isUnbegun) this.#change(() => this.#spawn());
  }

  #willRestart(failure: TugtalkError | undefined): boolean {
    if (this.#closing === "now" || this.#isSwitching) return false;
    const isDraining = this.#closing === "drain";
    return this.#restarts.willRestart(failure, { isDraining, hasQueued: this.#events.hasQueued() });
  }

  /** Runs a start or a stop after those before it. After a shutdown nobody waits for a start. */
  #change(change: () => void | Promise<void>): void {
    this.#changes.add(change, (error) => {
      if (this.#closing !== "now") this.#startFailed(TugtalkError.from(error));
    });
  }

  #startFailed(failure: TugtalkError): void {
    const isFatal = this.#restarts.isFatal(failure);
    const { code, message, reason } = failure;
    this.#deps.emit(errorMessage(code, message, definedFields({ recoverable: !isFatal, reason })));
    if (this.#restarts.endsSession(failure)) this.current.clear();
    this.#events.onQueueDropped(code);
    if (isFatal) this.#deps.onFatal();
  }

  #emit(messages: readonly OutboundDraft[]): void {
    for (const message of messages) this.#deps.emit(message);
  }
}
