/**
 * A run: everything that dies with one Claude process. Applies Claude's lines in order, keeps what
 * was asked on either side, and tells the host what it means. Dropped whole when the process ends;
 * which process comes next is the session's business.
 */

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
import { Patience, type PatienceOptions } from "./patience.ts";
import { type Outcome, type PromptOptions, Prompts } from "./prompts.ts";
import { RunState } from "./run-state.ts";
import type { Stall } from "./stall-detector.ts";

/** What a run tells the session, in the order of Claude's lines. */
export type RunEvents = {
  readonly emit: (message: OutboundDraft) => void;
  /** Claude began to talk. */
  readonly onReady: () => void;
  /** A turn began under this session id. */
  readonly onSessionId: (sessionId: string) => void;
  /** Claude will not begin a message that it has been given: others may go. */
  readonly onFreed: () => void;
  /** The open turn has gone silent. */
  readonly onStall: (stall: Stall) => void;
};

export type TurnsView = Pick<
  Turns,
  "openTurnId" | "isIdle" | "isOpen" | "isWaiting" | "pendingIds" | "waitingLoad" | "isFull"
>;

export type RunOptions = ConversationOptions &
  PromptOptions &
  PatienceOptions & {
    readonly process: ClaudeProcess;
    readonly settings: LiveSettings;
  };

/** Nobody waits for the answer to a request of our own; it is forgotten then, in ms. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Asks for a message back. */
const RECALL = "cancel_async_message";

export class Run {
  readonly process: ClaudeProcess;
  readonly requests: ClaudeRequests;
  readonly #options: RunOptions;
  readonly #events: RunEvents;
  readonly #conversation: Conversation;
  readonly #prompts: Prompts;
  readonly #state: RunState;
  readonly #patience: Patience;
  readonly #decoder = new TextDecoder();
  #isReady = false;
  #isEnding = false;
  /** What Claude said in a result before it was ready: why it does not start. */
  #startWords: readonly string[] = [];

  constructor(options: RunOptions, events: RunEvents) {
    this.process = options.process;
    this.requests = new ClaudeRequests(options.process, options, (id) => {
      // Without a line of Claude's, where it is given up.
      if (this.#prompts.endHostCall(id)) this.emitState();
    });
    this.#options = options;
    this.#events = events;
    this.#conversation = new Conversation(options);
    this.#prompts = new Prompts(options, {
      claude: options.process,
      conversation: this.#conversation,
      requests: this.requests,
      emit: events.emit,
    });
    this.#state = new RunState(events.emit);
    const { turns } = this.#conversation;
    const facts = () => ({
      openTurnId: turns.openTurnId,
      isAsking: this.isAsking,
      isEnding: this.#isEnding,
    });
    this.#patience = new Patience(
      options,
      { turns, facts, tellsBrokenStreams: () => isAtLeast(this.claudeVersion, "2.1.330") },
      {
        onInterruptRetry: () => this.#sendInterrupt(),
        onGivenUp: () => this.#giveUpWaiting(),
        onStall: (stall) => this.#stalled(stall),
      },
    );
  }

  /** Claude has begun to talk, so it did start. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Why Claude did not start, in its words on stdout. */
  get startWords(): readonly string[] {
    return this.#startWords;
  }

  /** The version of this CLI, once it has told. */
  get claudeVersion(): string | undefined {
    return this.#options.settings.claudeVersion;
  }

  /** Claude is asked to give messages back; all that it has, unless one is named. */
  noteRecall(reason: string, messageId?: string): void {
    this.#conversation.turns.noteRecall(reason, messageId);
  }

  /**
   * Asks Claude to give back every message that it has not begun: it would run them beyond the end.
   * False: some are in its queue, and this CLI gives none back.
   */
  recallPending(reason: string): boolean {
    const { pendingIds, waitingLoad } = this.turns;
    if (unsupportedIn(RECALL, this.claudeVersion) !== undefined) return waitingLoad.count === 0;
    this.noteRecall(reason);
    for (const id of pendingIds) {
      const body = { subtype: RECALL, message_uuid: id };
      this.requests.ask(body, REQUEST_TIMEOUT_MS, (end) => {
        const isBack = end.kind === "answered" && end.answer.response?.["cancelled"] === true;
        if (isBack) this.withdraw(id);
      });
    }
    return true;
  }

  /** Claude has given this message back. */
  withdraw(messageId: string): void {
    this.#emit(this.#conversation.turns.withdraw(messageId));
  }

  /** The turns and the messages of this process, to look at. */
  get turns(): TurnsView {
    return this.#conversation.turns;
  }

  /** The next message may be handed over. */
  get isIdle(): boolean {
    return this.#isReady && !this.#isEnding && this.#conversation.turns.isIdle;
  }

  /** The end has begun, or stdout is closed: nothing that is written will be answered. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Claude's stdin is about to be closed: what it has asked is refused first. */
  beginEnd(): void {
    if (!this.#isEnding) this.#prompts.refuseAll();
    this.noteOutputEnd();
  }

  /** Nothing that is written will be answered any more. */
  noteOutputEnd(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#prompts.noteOutputEnd();
    this.emitState();
  }

  /** Claude has taken note of an interrupt, and still has these messages before it. */
  noteInterruptTaken(stillQueued: readonly string[]): void {
    this.#patience.noteInterruptTaken(stillQueued);
  }

  /** Hands one message to Claude. */
  deliver(message: QueuedMessage): void {
    this.#emit(this.#conversation.turns.deliver(message));
    this.process.writeLine(JSON.stringify(buildUserEnvelope(message.blocks, message.messageId)));
    this.emitState();
  }

  /** The open turn is being ended at the host's wish: its prompts and its result will say so. */
  noteInterrupt(): void {
    if (this.turns.openTurnId === undefined) return;
    this.#prompts.noteInterrupt();
  }

  /** Asks Claude to end the open turn, at nobody's request. */
  interrupt(): void {
    if (this.turns.openTurnId === undefined) return;
    this.noteInterrupt();
    this.#sendInterrupt();
  }

  /** Whether a person is asked. */
  get isAsking(): boolean {
    return this.#prompts.isAsking;
  }

  /** Takes the host's answer to a prompt. Undefined if it is not accepted. */
  answer(answer: PromptAnswer): Outcome | undefined {
    const outcome = this.#prompts.answer(answer);
    this.emitState();
    return outcome;
  }

  /** Applies one line of Claude's. */
  apply(line: Line): void {
    if (isOverlong(line)) this.#lineLost(line.overlongBytes, line.edges);
    else this.#applyMessage(parseClaudeLine(this.#decoder.decode(line)));
    this.#patience.lookAtMessages();
    this.emitState();
  }

  /** Claude was not read for a while, since the host did not read. */
  noteUnread(): void {
    this.#patience.noteUnread();
  }

  /** Says that Claude is gone: ends all that was open. */
  end(reason: TurnCancelled["reason"], error: string): void {
    this.#prompts.endRun();
    this.#patience.stop();
    // Before the turn ends, since an answer may name it.
    this.requests.failAll(error);
    this.#emit(this.#conversation.cancel(reason));
  }

  /** Claude began to talk, or is taken to have. */
  becomeReady(claudeVersion: string | undefined): void {
    this.#options.settings.claudeVersion ??= claudeVersion;
    if (this.#isReady) return;
    this.#isReady = true;
    this.#events.onReady();
    this.emitState();
  }

  #applyMessage(event: ClaudeMessage): void {
    switch (event.type) {
      case "control_request":
        this.#prompts.take(event);
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
      case "result":
        this.#result(event);
        break;
      default:
        this.#noteSystem(event);
        this.#converse(event);
        // One that cannot be read ends its turn like one that is lost.
        if (event.type === "unknown" && event.original_type === "result") {
          this.#loseTurn();
        }
    }
  }

  #converse(event: ConversationMessage): void {
    const emitted = this.#conversation.apply(event);
    this.#patience.note(event, emitted);
    this.#emit(emitted);
    for (const message of emitted) {
      if (message.type === "user_text" && message.kind === "command_output")
        this.#options.settings.noteCommandOutput(message.text);
    }
  }

  #noteSystem(event: ClaudeMessage): void {
    if (event.type === "notification" && event.kind === "system/background_tasks_changed") {
      this.#state.backgroundTasks = event.message.tasks;
    }
    if (event.type !== "system") return;
    if (event.subtype === "init") {
      this.becomeReady(event.claude_code_version);
      this.#events.onSessionId(event.session_id);
      if (!this.#isEnding)
        this.#emit(this.#options.settings.noteModel(event.model, event.session_id));
    }
    if (event.subtype === "status") this.#state.isCompacting = event.status === "compacting";
    // What a process that is being ended says is no choice for the next one.
    if (event.subtype !== "compact_boundary" && !this.#isEnding) {
      this.#emit(this.#options.settings.noteMode(event.permissionMode));
    }
  }

  #result(event: ResultMessage): void {
    if (!this.#isReady) {
      this.#startWords = event.errors ?? (event.result === undefined ? [] : [event.result]);
      return;
    }
    this.#endTurn();
    this.#emit(this.#conversation.apply(event));
  }

  #loseTurn(): void {
    this.#endTurn();
    this.#emit(this.#conversation.loseTurn());
  }

  /** Results are held back, so the one of an older turn leaves alone what the newer one is doing. */
  #endTurn(): void {
    const { view, openCount } = this.#conversation.turns;
    if (view !== undefined) this.#prompts.endTurn(view.turn_id);
    if (openCount > 1) return;
    this.#patience.endTurn();
    this.#state.isCompacting = false;
  }

  #stalled(stall: Stall): void {
    this.emitState();
    this.#events.onStall(stall);
  }

  #sendInterrupt(): void {
    this.requests.ask({ subtype: "interrupt" }, REQUEST_TIMEOUT_MS);
  }

  #giveUpWaiting(): void {
    this.#emit(this.#conversation.turns.giveUp());
    this.emitState();
    this.#events.onFreed();
  }

  /** A result that is lost takes its turn with it, or the next message would wait for ever. */
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

  /** Tells the host what the session is doing, if that is news. */
  emitState(): void {
    this.#patience.lookAtSilence();
    this.#state.update({
      isReady: this.#isReady,
      isAsking: this.isAsking,
      isRunning: !this.#conversation.turns.isIdle,
      isStalled: this.#patience.isStalled,
    });
  }
}
