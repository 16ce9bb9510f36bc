/**
 * One Claude process at a time: starts it, reads its lines until it exits, and emits its end.
 * Contract: Start, guarantees 2, 4 and 8.
 */

import type { BoundedSet } from "../base/bounded-map.ts";
import { CHECK_INTERVAL_MS, type Clock } from "../base/clock.ts";
import { hideValues } from "../base/hidden-values.ts";
import { type Line, LineCursor } from "../base/lines.ts";
import { buildCapabilities } from "../claude/capabilities.ts";
import {
  buildClaudeArgs,
  type ClaudeSpawnConfig,
  withSecretsInFiles,
} from "../claude/claude-args.ts";
import { type ClaudeExit, type ClaudeProcess, stopClaude } from "../claude/claude-process-port.ts";
import type { Settlement } from "../claude/claude-requests.ts";
import { declaredHooks } from "../claude/hook-matchers.ts";
import type { LiveSettings } from "../claude/live-settings.ts";
import { startFailure } from "../claude/start-failure.ts";
import type { ControlRequestBody } from "../control.ts";
import { errorMessage, TugtalkError } from "../messages/errors.ts";
import { HOST_SERVER } from "../messages/host-server.ts";
import type { ConfiguredOptions } from "../messages/option-defaults.ts";
import type { SessionOptions } from "../messages/options.ts";
import type { TurnCancelled } from "../messages/turn-messages.ts";
import type { LineEvents } from "../run/line-dispatcher.ts";
import { Run } from "../run/run.ts";
import type { OutboundDraft } from "../types.ts";

export type SupervisorPorts = {
  readonly spawn: (args: readonly string[]) => ClaudeProcess;
  /** Writes a file that only Claude can read; returns its path. */
  readonly writeSecretFile: (name: string, text: string) => string;
  readonly emit: (message: OutboundDraft) => void;
  /** Undefined: each message is emitted by itself. */
  readonly emitRepeated?: LineEvents["emitRepeated"];
  /** Sends the emitted messages; resolves when the host has read them. Undefined without back-pressure. */
  readonly flush: () => Promise<void> | undefined;
  /** Called when Claude is gone; its `process_exit` is emitted when this resolves. */
  readonly beforeExit?: () => Promise<void> | undefined;
  readonly clock: Clock;
  /** The clock for limits on the silence of Claude. See `backpressureClock`. */
  readonly backpressureClock: Clock;
  readonly newId: () => string;
  /** The ids of settled prompts, of earlier processes too. */
  readonly settledPrompts: BoundedSet<string>;
  /** A line could not be applied, which is a bug of tugtalk. */
  readonly onFault: (message: string) => void;
};

export type SupervisorEvents = {
  readonly onReady: () => void;
  readonly onSessionId: (sessionId: string) => void;
  /** A batch of lines was applied: Claude may be idle. */
  readonly onProgress: () => void;
  /** An interrupted turn did not end in time: the process must be stopped. */
  readonly onUnresponsive: () => void;
  /** Whether the next or a queued message starts Claude again. `failure`: the process was never ready. */
  readonly willRestart: (failure: TugtalkError | undefined) => boolean;
  readonly onExit: (failure: TugtalkError | undefined) => void;
};

/** One start of Claude. */
export type Start = {
  readonly config: Omit<ClaudeSpawnConfig, "options">;
  readonly options: ConfiguredOptions;
  readonly settings: LiveSettings;
  /** US dollars that Claude's total starts from. Undefined: unknown. */
  readonly costBaseline: number | undefined;
};

/** Timeout of `initialize`, in ms. Slow machines take minutes. */
const INITIALIZE_TIMEOUT_MS = 120_000;

/** Timeout of the request that restores flag settings, in ms. */
const RESTORE_TIMEOUT_MS = 30_000;

type Current = {
  readonly run: Run;
  readonly start: Start;
  readonly ended: Promise<void>;
  /** Why tugtalk ends the process, or `exited`. */
  reason: TurnCancelled["reason"];
  isExpected: boolean;
  /** It never answered `initialize`. */
  isUnresponsive: boolean;
};

export class Supervisor {
  readonly #deps: SupervisorPorts;
  readonly #events: SupervisorEvents;
  #current: Current | undefined;

  constructor(deps: SupervisorPorts, events: SupervisorEvents) {
    this.#deps = deps;
    this.#events = events;
  }

  /** The run of the current process. */
  get run(): Run | undefined {
    return this.#current?.run;
  }

  /** Starts Claude and sends `initialize`. Throws where Claude cannot be started. */
  start(start: Start): void {
    const args = buildClaudeArgs(this.#configOf(start));
    const process = this.#deps.spawn(args);
    this.#deps.emit({ type: "process_started", pid: process.pid, args: [...args] });
    const run = this.#newRun(process, start);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const state = { reason: "exited", isExpected: false, isUnresponsive: false } as const;
    const current: Current = { run, start, ended, ...state };
    this.#current = current;
    run.start();
    run.requests.ask(initializeRequest(start.options), INITIALIZE_TIMEOUT_MS, (end) =>
      this.#initialized(current, end),
    );
    void this.#read(current).then(resolve);
  }

  #configOf({ config, options, settings }: Start): ClaudeSpawnConfig {
    const changed = settings.over(options);
    try {
      return { ...config, options: withSecretsInFiles(changed, this.#deps.writeSecretFile) };
    } catch (cause) {
      throw new TugtalkError("claude_start_failed", `cannot write a file for claude: ${cause}`, {
        cause,
      });
    }
  }

  /** Ends Claude. Resolves when it has exited and that is emitted. */
  stop(reason: TurnCancelled["reason"]): Promise<void> {
    const current = this.#current;
    if (current === undefined) return Promise.resolve();
    if (!current.isExpected) this.#end(current, reason);
    return current.ended;
  }

  #end(current: Current, reason: TurnCancelled["reason"]): void {
    current.isExpected = true;
    current.reason = reason;
    const { run, start } = current;
    // Messages in Claude's own queue run after an interrupt, and after the end of its stdin.
    const isAtOnce = !run.recall(reason, run.turns.pendingIds);
    // An interrupt would only make Claude begin the next one.
    if (isAtOnce) run.recordInterrupt();
    // Without it V197 stops its background tasks when its stdin closes, and begins a turn about them.
    else run.interruptAll();
    run.beginEnd();
    const { shutdown_grace_ms: graceMs } = start.options;
    stopClaude(run.process, { clock: this.#deps.clock, graceMs, isAtOnce });
  }

  #newRun(process: ClaudeProcess, { options, settings, costBaseline }: Start): Run {
    const { emit, emitRepeated, backpressureClock: clock, newId, settledPrompts } = this.#deps;
    const { onReady, onSessionId, onProgress, onUnresponsive } = this.#events;
    return new Run(
      { process, clock, newId, settings, costBaseline, settledPrompts, options },
      { emit, emitRepeated, onReady, onSessionId, onFreed: onProgress, onUnresponsive },
    );
  }

  /** An old CLI may answer with an error; any answer means that Claude is ready. */
  #initialized(current: Current, end: Settlement): void {
    if (end.kind === "failed") return;
    if (end.kind === "timed_out") {
      current.isUnresponsive = true;
      current.run.process.kill("SIGKILL");
      return;
    }
    const version = end.answer.response?.["claude_code_version"];
    current.run.becomeReady(typeof version === "string" ? version : undefined);
    if (end.answer.subtype === "success") this.#deps.emit(buildCapabilities(end.answer.response));
    this.#restoreFlagSettings(current);
  }

  /** Sent before every message, so that each turn has these settings. */
  #restoreFlagSettings({ run, start }: Current): void {
    const settings = start.settings.flagSettings;
    if (settings === undefined) return;
    const body = { subtype: "apply_flag_settings", settings };
    run.requests.ask(body, RESTORE_TIMEOUT_MS, (end) => {
      if (end.kind === "failed" || (end.kind === "answered" && end.answer.subtype === "success"))
        return;
      const why = end.kind === "answered" ? end.answer.error : "no answer";
      const message = `changed settings were not restored: ${why ?? "refused"}`;
      this.#deps.emit(errorMessage("control_rejected", message));
    });
  }

  /** Reads Claude's stdout until it ends. Waits for lines and for back-pressure only. */
  async #read(current: Current): Promise<void> {
    const { process } = current.run;
    const { shutdown_grace_ms: graceMs } = current.start.options;
    for await (const lines of process.lines) {
      this.#apply(lines, current.run);
      const room = this.#deps.flush();
      if (room !== undefined) await this.#waitFor(room, current.run);
    }
    current.run.recordOutputEnd();
    // A Claude without stdout is useless.
    if (!current.isExpected) stopClaude(process, { clock: this.#deps.clock, graceMs });
    const exit = await process.exited;
    const pending = this.#deps.beforeExit?.();
    if (pending !== undefined) await pending;
    this.#exited(current, exit);
  }

  #apply(lines: Iterable<Line>, run: Run): void {
    if (lines instanceof LineCursor) {
      this.#guard("apply lines of Claude", () => run.applyRepeats(lines));
      // Nothing but a text has changed.
      if (lines.isAtEnd) return;
      for (let line = lines.next(); line !== undefined; line = lines.next())
        this.#applyOne(line, run, lines);
    } else for (const line of lines) this.#applyOne(line, run);
    this.#guard("continue after a batch of lines", this.#events.onProgress);
  }

  #applyOne(line: Line, run: Run, rest?: LineCursor): void {
    this.#guard("apply a line of Claude", () => {
      run.apply(line);
      if (rest !== undefined) run.applyRepeats(rest);
    });
  }

  async #waitFor(room: Promise<void>, run: Run): Promise<void> {
    const { now } = this.#deps.clock;
    const since = now();
    await room;
    // A short wait is no back-pressure: each line is written to the host.
    if (now() - since >= CHECK_INTERVAL_MS) run.recordReadPause();
  }

  /** A failure on one line must not stop the read loop. */
  #guard(what: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      const { message } = TugtalkError.from(error);
      this.#deps.onFault(`cannot ${what}: ${message}`);
      this.#deps.emit(errorMessage("internal", message, { source: "claude" }));
    }
  }

  #exited(current: Current, exit: ClaudeExit): void {
    const { run, isExpected } = current;
    const how = exit.signal ?? `exit code ${exit.exitCode}`;
    const failure = run.isReady || isExpected ? undefined : failureOf(current, exit, how);
    run.end(current.reason, `claude ended (${how})`);
    this.#current = undefined;
    this.#deps.emit({
      type: "process_exit",
      pid: run.process.pid,
      exit_code: exit.exitCode,
      signal: exit.signal,
      expected: isExpected,
      stderr_tail: exit.stderrTail,
      will_restart: this.#events.willRestart(failure),
    });
    this.#deps.emit({ type: "session_state", state: "exited" });
    this.#events.onExit(failure);
  }
}

/** These options have no flag that every CLI knows. */
function initializeRequest(options: SessionOptions): ControlRequestBody {
  return {
    subtype: "initialize",
    ...(options.forward_subagent_text === true && { forwardSubagentText: true }),
    ...(options.dialogs !== undefined && { supportedDialogKinds: options.dialogs }),
    ...(options.host_tools !== undefined && { sdkMcpServers: [HOST_SERVER] }),
    ...(options.host_hooks !== undefined && { hooks: declaredHooks(options.host_hooks) }),
  };
}

function failureOf(
  { run, start, isUnresponsive }: Current,
  exit: ClaudeExit,
  how: string,
): TugtalkError {
  if (isUnresponsive) {
    const message = `claude did not answer initialize in ${INITIALIZE_TIMEOUT_MS} ms: it was killed`;
    return new TugtalkError("claude_unresponsive", message);
  }
  const errors = run.startErrors.map((error) => hideValues(error, start.options.env));
  // Newer CLIs print the same lines on both pipes.
  const lines = new Set([...errors, ...exit.stderrTail.trim().split("\n")]);
  const goesOn = start.config.sessionId !== undefined || start.config.continue === true;
  return startFailure([...lines].join("\n"), how, goesOn);
}
