/**
 * A run: all state that dies with one Claude process. Applies Claude's lines in order, keeps the open
 * requests of both sides, and emits what they mean to the host. The session decides which process
 * comes next.
 */

import type { Clock } from "../base/clock.ts";
import { isOverlong, type Line } from "../base/lines.ts";
import { isAtLeast } from "../base/versions.ts";
import { parseClaudeLine } from "../claude/claude-line.ts";
import type { ClaudeProcess } from "../claude/claude-process-port.ts";
import { ClaudeRequests } from "../claude/claude-requests.ts";
import type { LiveSettings } from "../claude/live-settings.ts";
import { buildUserEnvelope } from "../claude/user-message.ts";
import {
  Conversation,
  type ConversationMessage,
  type ConversationOptions,
} from "../conversation/conversation.ts";
import type { QueuedMessage } from "../conversation/in-flight-messages.ts";
import type { Turns } from "../conversation/turns.ts";
import { unsupportedIn } from "../messages/control-subtypes.ts";
import type { TurnCancelled } from "../messages/turn-messages.ts";
import type { PromptAnswer } from "../permissions.ts";
import type { ClaudeMessage, ResultMessage } from "../protocol-types.ts";
import type { OutboundDraft } from "../types.ts";
import { Deadline } from "./deadline.ts";
import { Interrupts } from "./interrupts.ts";
import { type Outcome, type PromptOptions, Prompts } from "./prompts.ts";
import { RunState } from "./run-state.ts";
import { StallDetector, type StallLimits, type StallPhase } from "./stall-detector.ts";

/** What a run reports, in the order of Claude's lines. */
export type RunEvents = {
  readonly emit: (message: OutboundDraft) => void;
  /** Claude printed its first line, or answered `initialize`. */
  readonly onReady: () => void;
  /** A turn began under this session id. */
  readonly onSessionId: (sessionId: string) => void;
  /** Claude dropped messages without notice: others may be delivered. */
  readonly onFreed: () => void;
  /** An interrupted turn did not end in time: the process must be stopped. */
  readonly onUnresponsive: () => void;
};

export type RunOptions = ConversationOptions &
  PromptOptions & {
    readonly process: ClaudeProcess;
    readonly settings: LiveSettings;
    readonly stallLimits: StallLimits;
    /** How long an interrupted turn may take to end, in ms. */
    readonly interruptTimeoutMs: number;
  };

export type TurnsView = Pick<
  Turns,
  "openTurnId" | "isIdle" | "isOpen" | "isWaiting" | "pendingIds" | "waitingLoad" | "isFull"
>;

/** How long an idle Claude may keep a message that it has not begun, in ms. It does not report a drop. */
const ACCEPT_TIMEOUT_MS = 30_000;

/** How long Claude may take to return a message, in ms. */
const RECALL_TIMEOUT_MS = 30_000;

/** Asks Claude to return a message. */
const RECALL = "cancel_async_message";

export class Run {
  readonly process: ClaudeProcess;
  readonly requests: ClaudeRequests;
  readonly #options: RunOptions;
  readonly #events: RunEvents;
  readonly #conversation: Conversation;
  readonly #prompts: Prompts;
  readonly #state: RunState;
  readonly #interrupts: Interrupts;
  readonly #acceptDeadline: Deadline;
  readonly #stallDetector: StallDetector;
  readonly #decoder = new TextDecoder();
  #isReady = false;
  #isEnding = false;
  #startErrors: readonly string[] = [];

  constructor(given: RunOptions, events: RunEvents) {
    const options = { ...given, clock: this.#checkedClock(given.clock) };
    const { process, clock, interruptTimeoutMs, stallLimits } = options;
    this.process = process;
    this.#options = options;
    this.#events = events;
    this.#conversation = new Conversation(options);
    const conversation = this.#conversation;
    const { turns } = conversation;
    const requests = new ClaudeRequests(process, options, (id) => this.#endHostCall(id));
    this.requests = requests;
    const { emit } = events;
    this.#prompts = new Prompts(options, { claude: process, conversation, requests, emit });
    this.#state = new RunState(emit);
    const onOverdue = () => this.#unresponsive();
    this.#interrupts = new Interrupts({
      clock,
      timeoutMs: interruptTimeoutMs,
      turns,
      requests,
      onOverdue,
    });
    this.#acceptDeadline = new Deadline(clock, ACCEPT_TIMEOUT_MS, () => this.#giveUp());
    const onStall = (phase: StallPhase, limitMs: number) => this.#stalled(phase, limitMs);
    this.#stallDetector = new StallDetector({ clock, limits: stallLimits, onStall });
  }

  /** Claude has answered or printed something, so it did start. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Why Claude did not start, as it printed on stdout. */
  get startErrors(): readonly string[] {
    return this.#startErrors;
  }

  /** The version of this CLI, once it is known. */
  get claudeVersion(): string | undefined {
    return this.#options.settings.claudeVersion;
  }

  /** The turns and the messages of this process, read-only. */
  get turns(): TurnsView {
    return this.#conversation.turns;
  }

  /** The next message may be delivered. */
  get isIdle(): boolean {
    return this.#isReady && !this.#isEnding && this.turns.isIdle;
  }

  /** The end has begun, or stdout is closed: nothing that is written will be answered. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Whether a person is asked. */
  get isAsking(): boolean {
    return this.#prompts.isAsking;
  }

  /** Emits the first state. */
  start(): void {
    this.#check();
  }

  /** Applies one line of Claude's. */
  apply(line: Line): void {
    this.#change(() => {
      if (isOverlong(line)) this.#lineLost(line.overlongBytes, line.edges);
      else this.#applyMessage(parseClaudeLine(this.#decoder.decode(line)));
    });
  }

  /** Claude began to talk, or is taken to have. */
  becomeReady(claudeVersion: string | undefined): void {
    const { settings } = this.#options;
    settings.claudeVersion ??= claudeVersion;
    this.#stallDetector.reportsBrokenStreams = isAtLeast(settings.claudeVersion, "2.1.330");
    if (this.#isReady) return;
    this.#isReady = true;
    this.#events.onReady();
    this.#check();
  }

  /** Writes one message to Claude. */
  deliver(message: QueuedMessage): void {
    this.#change(() => {
      this.#emit(this.#conversation.turns.deliver(message));
      this.process.writeLine(JSON.stringify(buildUserEnvelope(message.blocks, message.messageId)));
    });
  }

  /** Takes the host's answer to a prompt. Undefined if it is not accepted. */
  answer(answer: PromptAnswer): Outcome | undefined {
    return this.#change(() => this.#prompts.answer(answer));
  }

  /** The host interrupts the open turn: it must end within the limit. */
  noteInterrupt(): void {
    this.#change(() => this.#interrupts.note());
  }

  /** Claude accepted an interrupt and keeps these messages in its queue. */
  noteInterruptAccepted(stillQueued: readonly string[]): void {
    this.#change(() => this.#interrupts.noteAccepted(stillQueued));
  }

  /** Asks Claude to end the open turn, without a request of the host's. */
  interrupt(): void {
    this.#change(() => this.#interrupts.send());
  }

  /** Claude is asked to return a message, or without an id all that it has not begun. */
  noteRecall(reason: string, messageId?: string): void {
    this.#conversation.turns.noteRecall(reason, messageId);
  }

  /** Claude has returned this message. */
  withdraw(messageId: string): void {
    this.#change(() => this.#emit(this.#conversation.turns.withdraw(messageId)));
  }

  /**
   * Asks Claude to return every message that it has not begun: it would run them after its end has
   * begun. False if there are some and this CLI returns none.
   */
  recallPending(reason: string): boolean {
    const { pendingIds, waitingLoad } = this.turns;
    if (unsupportedIn(RECALL, this.claudeVersion) !== undefined) return waitingLoad.count === 0;
    this.noteRecall(reason);
    for (const id of pendingIds) {
      const body = { subtype: RECALL, message_uuid: id };
      this.requests.ask(body, RECALL_TIMEOUT_MS, (end) => {
        const isBack = end.kind === "answered" && end.answer.response?.["cancelled"] === true;
        if (isBack) this.withdraw(id);
      });
    }
    return true;
  }

  /** Claude was not read for a while, because the host did not read. */
  noteReadPause(): void {
    this.#stallDetector.noteReadPause();
  }

  /** Claude's stdin is about to be closed: what it has asked is refused first. */
  beginEnd(): void {
    if (!this.#isEnding) this.#prompts.refuseAll();
    this.noteOutputEnd();
  }

  /** Nothing that is written will be answered any more. */
  noteOutputEnd(): void {
    if (this.#isEnding) return;
    this.#change(() => {
      this.#isEnding = true;
      this.#prompts.noteOutputEnd();
    });
  }

  /** The process is gone: ends all that was open. */
  end(reason: TurnCancelled["reason"], error: string): void {
    this.#prompts.endRun();
    this.#interrupts.stop();
    this.#acceptDeadline.stop();
    this.#stallDetector.stop();
    // Before the turn ends: the answer to an interrupt names its turn, which must still be open.
    this.requests.failAll(error);
    this.#emit(this.#conversation.cancel(reason));
  }

  /** The one door: every line, every call and every timer makes its change here. */
  #change<Result>(change: () => Result): Result {
    const result = change();
    this.#check();
    return result;
  }

  /** Checks what is due, and emits the state if it is another one. */
  #check(): void {
    const { turns } = this.#conversation;
    this.#interrupts.check(this.#isEnding);
    const hasWaiting = turns.openTurnId === undefined && !turns.isIdle;
    this.#acceptDeadline.check(hasWaiting ? "messages" : undefined);
    this.#stallDetector.check(turns.openTurnId, !this.#isEnding && !this.isAsking);
    this.#state.update({
      isReady: this.#isReady,
      isAsking: this.isAsking,
      isRunning: !turns.isIdle,
      isStalled: this.#stallDetector.isStalled,
    });
  }

  #checkedClock(clock: Clock): Clock {
    return { ...clock, setTimer: (run, ms) => clock.setTimer(() => this.#change(run), ms) };
  }

  #applyMessage(event: ClaudeMessage): void {
    switch (event.type) {
      case "control_request":
        this.#prompts.open(event);
        break;
      case "control_response":
        this.requests.answer(event);
        break;
      case "control_cancel_request":
        this.#prompts.withdraw(event.request_id);
        break;
      case "keep_alive":
      case "transcript_mirror":
        break;
      case "stream_event":
        this.#converse(event);
        break;
      case "assistant":
      case "user":
        this.#noteCommandOutput(this.#converse(event));
        break;
      case "system":
        this.#noteSystem(event);
        this.#converse(event);
        break;
      case "notification":
        if (event.kind === "system/background_tasks_changed")
          this.#state.backgroundTasks = event.message.tasks;
        this.#converse(event);
        break;
      case "unknown":
        this.#converse(event);
        // A result that cannot be read ends its turn like one that is lost.
        if (event.original_type === "result") this.#loseTurn();
        break;
      case "result":
        this.#result(event);
    }
  }

  #endHostCall(id: string): void {
    if (!this.#isEnding) this.#change(() => this.#prompts.endHostCall(id));
  }

  #converse(event: ConversationMessage): readonly OutboundDraft[] {
    const emitted = this.#conversation.apply(event);
    this.#stallDetector.note(event, emitted);
    this.#emit(emitted);
    return emitted;
  }

  #noteCommandOutput(emitted: readonly OutboundDraft[]): void {
    for (const message of emitted) {
      if (message.type === "user_text" && message.kind === "command_output")
        this.#options.settings.noteCommandOutput(message.text);
    }
  }

  #noteSystem(event: Extract<ClaudeMessage, { type: "system" }>): void {
    const { settings } = this.#options;
    if (event.subtype === "compact_boundary") return;
    if (event.subtype === "init") {
      this.becomeReady(event.claude_code_version);
      this.#events.onSessionId(event.session_id);
    } else this.#state.isCompacting = event.status === "compacting";
    // The settings of a process that is ending are no choice for the next one.
    if (this.#isEnding) return;
    if (event.subtype === "init") this.#emit(settings.noteModel(event.model, event.session_id));
    this.#emit(settings.noteMode(event.permissionMode));
  }

  #result(event: ResultMessage): void {
    if (!this.#isReady) {
      this.#startErrors = event.errors ?? (event.result === undefined ? [] : [event.result]);
      return;
    }
    this.#endTurn();
    this.#emit(this.#conversation.apply(event));
  }

  #loseTurn(): void {
    this.#endTurn();
    this.#emit(this.#conversation.loseTurn());
  }

  /** Claude can hold back a result until a newer turn is open, which goes on. */
  #endTurn(): void {
    const { view, openCount } = this.#conversation.turns;
    if (view !== undefined) this.#prompts.endTurn(view.turn_id);
    if (openCount > 1) return;
    this.#stallDetector.endTurn();
    this.#state.isCompacting = false;
  }

  #stalled(phase: StallPhase, limitMs: number): void {
    this.#check();
    const due = phase === "stream" ? "the rest of an answer" : "an answer";
    this.#emitUnresponsive(
      `nothing came for ${limitMs} ms while ${due} was due: the turn is interrupted`,
    );
    this.#interrupts.send();
  }

  #unresponsive(): void {
    const { interruptTimeoutMs } = this.#options;
    this.#emitUnresponsive(
      `claude did not end the interrupted turn in ${interruptTimeoutMs} ms: it is stopped`,
    );
    this.#events.onUnresponsive();
  }

  #emitUnresponsive(message: string): void {
    this.#events.emit({ type: "error", code: "claude_unresponsive", message, recoverable: true });
  }

  #giveUp(): void {
    this.#change(() => this.#emit(this.#conversation.turns.giveUp()));
    this.#events.onFreed();
  }

  /** A lost result ends its turn, or the next message would wait without end. */
  #lineLost(bytes: number, edges: string): void {
    this.#events.emit({
      type: "error",
      code: "line_too_long",
      message: `a line of ${bytes} bytes from Claude was thrown away; --max-line-bytes sets the limit`,
      recoverable: true,
      source: "claude",
    });
    if (/"type":"result"/.test(edges)) this.#loseTurn();
  }

  #emit(messages: readonly OutboundDraft[]): void {
    for (const message of messages) this.#events.emit(message);
  }
}
