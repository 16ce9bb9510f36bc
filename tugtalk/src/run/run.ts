/**
 * A run: all state that dies with one Claude process. Applies Claude's lines in order, keeps the open
 * requests of both sides, and emits the messages for the host. The session decides which process
 * comes next.
 */

import type { Clock } from "../base/clock.ts";
import type { Line, LineCursor } from "../base/lines.ts";
import type { ClaudeProcess } from "../claude/claude-process-port.ts";
import type { ClaudeRequests } from "../claude/claude-requests.ts";
import { buildUserEnvelope } from "../claude/user-message.ts";
import type { QueuedMessage } from "../conversation/in-flight-messages.ts";
import type { Turns } from "../conversation/turns.ts";
import { errorMessage } from "../messages/errors.ts";
import type { HostTool } from "../messages/host-tool-messages.ts";
import type { TurnCancelled } from "../messages/turn-messages.ts";
import type { PromptAnswer } from "../permissions.ts";
import type { OutboundDraft } from "../types.ts";
import type { HostTools } from "./host-tools.ts";
import { LineDispatcher, type LineEvents } from "./line-dispatcher.ts";
import type { ProgramAnswer } from "./program-requests.ts";
import type { Outcome } from "./prompts.ts";
import { openParts, type RunOptions, type RunParts } from "./run-parts.ts";
import type { StallPhase } from "./stall-detector.ts";

/** The reports of a run, in the order of Claude's lines. */
export type RunEvents = LineEvents & {
  /** Claude dropped messages without notice: others may be delivered. */
  readonly onFreed: () => void;
  /** An interrupted turn did not end in time: the process must be stopped. */
  readonly onUnresponsive: () => void;
};

export type TurnsView = Pick<
  Turns,
  | "openTurnId"
  | "isIdle"
  | "isOpen"
  | "isWaiting"
  | "pendingIds"
  | "waitingIds"
  | "waitingLoad"
  | "isFull"
>;

export class Run {
  readonly process: ClaudeProcess;
  readonly requests: ClaudeRequests;
  readonly #events: RunEvents;
  readonly #parts: RunParts;
  readonly #dispatcher: LineDispatcher;

  constructor(given: RunOptions, events: RunEvents) {
    this.process = given.process;
    this.#events = events;
    this.#parts = openParts(
      { ...given, clock: this.#checkedClock(given.clock) },
      {
        ...events,
        onToolCallEnd: () => {
          if (!this.isEnding) this.#check();
        },
        onReturned: (id) => this.withdraw(id),
        onUnconfirmed: () => this.#giveUp(),
        onStall: (phase, limitMs) => this.#stalled(phase, limitMs),
      },
    );
    this.requests = this.#parts.requests;
    this.#dispatcher = new LineDispatcher(this.#parts, { ...events, onReady: () => this.#ready() });
  }

  /** Claude has answered or printed something, so it did start. */
  get isReady(): boolean {
    return this.#parts.state.isReady;
  }

  /** The end has begun, or stdout is closed: nothing that is written will be answered. */
  get isEnding(): boolean {
    return this.#parts.state.isEnding;
  }

  /** The next message may be delivered. */
  get isIdle(): boolean {
    return this.isReady && !this.isEnding && this.turns.isIdle;
  }

  /** Whether a person is asked. */
  get isAsking(): boolean {
    return this.#parts.prompts.isAsking;
  }

  /** Whether Claude waits for an answer of the host: of a person, or of its program. */
  get isWaitingForHost(): boolean {
    return this.#parts.openRequests.isAsking;
  }

  /** Undefined: the host has declared none. */
  get hostTools(): HostTools | undefined {
    return this.#parts.program.tools;
  }

  /** Why Claude did not start, as it printed on stdout. */
  get startErrors(): readonly string[] {
    return this.#dispatcher.startErrors;
  }

  /** The version of this CLI, once it is known. */
  get claudeVersion(): string | undefined {
    return this.#parts.settings.claudeVersion;
  }

  /** The turns and the messages of this process, read-only. */
  get turns(): TurnsView {
    return this.#parts.conversation.turns;
  }

  /** Emits the first state. */
  start(): void {
    this.#check();
  }

  /** Applies one line of Claude's. */
  apply(line: Line): void {
    const wasStalled = this.#parts.stallDetector.isStalled; // Any part of a message ends that.
    if (!this.#dispatcher.apply(line) || wasStalled) this.#check();
  }

  /** Applies the next lines, as far as they repeat the last one with other texts, and skips them. */
  applyRepeats(lines: LineCursor): void {
    this.#dispatcher.applyRepeats(lines);
  }

  /** Claude began to talk, or is taken to have. */
  becomeReady(claudeVersion: string | undefined): void {
    this.#dispatcher.becomeReady(claudeVersion);
  }

  /** Writes one message to Claude. */
  deliver(message: QueuedMessage): void {
    this.#change(() => {
      this.#emit(this.#parts.conversation.turns.deliver(message));
      this.process.writeLine(JSON.stringify(buildUserEnvelope(message.blocks, message.messageId)));
    });
  }

  /** Takes the host's answer to a prompt. Undefined if it is not accepted. */
  answer(answer: PromptAnswer): Outcome | undefined {
    return this.#change(() => this.#parts.prompts.answer(answer));
  }

  /** Takes the host's answer to a call of one of its tools. */
  answerProgram(answer: ProgramAnswer): void {
    this.#change(() => this.#parts.program.requests.answer(answer));
  }

  /** The host has other tools from now on. */
  replaceTools(tools: readonly HostTool[]): void {
    this.#change(() => this.hostTools?.replace(tools));
  }

  /** The host interrupts the open turn: it must end within the limit. */
  recordInterrupt(): void {
    this.#change(() => this.#parts.interrupts.record());
  }

  /** Claude accepted an interrupt and keeps these messages in its queue. */
  recordInterruptAccepted(stillQueued: readonly string[]): void {
    this.#change(() => this.#parts.interrupts.recordAccepted(stillQueued));
  }

  /** Asks Claude to end the open turn and the background work, because the process is to end. */
  interruptAll(): void {
    const { hasBackgroundTasks } = this.#parts.conversation;
    this.#change(() => this.#parts.interrupts.send(hasBackgroundTasks));
  }

  /** The bridge asks Claude to return a message, or without an id all messages that it has not begun. */
  recordRecall(reason: string, messageId?: string): void {
    this.#parts.conversation.turns.recordRecall(reason, messageId);
  }

  /** Claude has returned this message. */
  withdraw(messageId: string): void {
    this.#change(() => this.#emit(this.#parts.conversation.turns.withdraw(messageId)));
  }

  /** Asks Claude to end the open turn, once, because a message is to be delivered now. */
  makeWay(): void {
    if (!this.isEnding)
      this.#change(() =>
        this.#parts.interrupts.sendOnce(this.#parts.program.requests.holdsMessage),
      );
  }

  /**
   * Asks Claude to return messages that it has not begun: it would run them after its end has begun.
   * False if some wait and this CLI returns none.
   */
  recall(reason: string, ids: readonly string[]): boolean {
    return this.#parts.recalls.ask(reason, ids, this.claudeVersion);
  }

  /** Claude was not read for a while, because the host did not read. */
  recordReadPause(): void {
    this.#parts.stallDetector.recordReadPause();
  }

  /** Claude's stdin is about to be closed: its requests are refused first. */
  beginEnd(): void {
    this.#parts.openRequests.refuseAll();
    this.recordOutputEnd();
  }

  /** Nothing that is written will be answered any more. */
  recordOutputEnd(): void {
    if (this.isEnding) return;
    this.#change(() => {
      this.#parts.state.isEnding = true;
    });
  }

  /** The process is gone: ends everything that was open. */
  end(reason: TurnCancelled["reason"], error: string): void {
    this.#parts.openRequests.endRun();
    this.#parts.interrupts.stop();
    this.#parts.acceptDeadline.stop();
    this.#parts.stallDetector.stop();
    // Before the turn ends: the answer to an interrupt names its turn, which must still be open.
    this.requests.failAll(error);
    this.#emit(this.#parts.conversation.cancel(reason));
  }

  /** The one door: every call and every timer makes its change here. Only `apply` has its own. */
  #change<Result>(change: () => Result): Result {
    this.#dispatcher.forgetRepeats();
    const result = change();
    this.#check();
    return result;
  }

  /** Checks the limits that are due, and emits the state if it has changed. */
  #check(): void {
    const { turns } = this.#parts.conversation;
    this.#parts.openRequests.refuseOrphans();
    const isInTurn = turns.openTurnId !== undefined;
    if (!this.isEnding) this.hostTools?.refresh(this.claudeVersion, isInTurn);
    this.#parts.interrupts.check(this.isEnding);
    const isAsking = this.#parts.openRequests.isAskingIn(turns.openTurnId);
    // A message that waits for a hook of the host has not been dropped.
    const mayBeDropped = turns.lacksConfirmation && !isAsking;
    this.#parts.acceptDeadline.check(mayBeDropped ? "messages" : undefined);
    this.#parts.stallDetector.check(turns.openTurnId, !this.isEnding && !isAsking);
    this.#parts.state.update({
      isAsking: this.isAsking,
      isRunning: !turns.isIdle,
      isStalled: this.#parts.stallDetector.isStalled,
    });
  }

  #ready(): void {
    this.#events.onReady();
    this.#check();
  }

  #checkedClock(clock: Clock): Clock {
    return { ...clock, setTimer: (run, ms) => clock.setTimer(() => this.#change(run), ms) };
  }

  #stalled(phase: StallPhase, limitMs: number): void {
    this.#check();
    const due = phase === "stream" ? "the rest of an answer" : "an answer";
    const message = `nothing came for ${limitMs} ms while ${due} was due: the turn is interrupted`;
    this.#events.emit(errorMessage("claude_unresponsive", message));
    this.#parts.interrupts.send();
  }

  #giveUp(): void {
    this.#change(() => this.#emit(this.#parts.conversation.turns.giveUp()));
    this.#events.onFreed();
  }

  #emit(messages: readonly OutboundDraft[]): void {
    for (const message of messages) this.#events.emit(message);
  }
}
