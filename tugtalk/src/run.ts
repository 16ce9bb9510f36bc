/**
 * A run: everything that dies with one Claude process. Applies Claude's lines in order, keeps what
 * was asked on either side, and tells the host what it means. Dropped whole when the process ends;
 * which process comes next is the session's business.
 */

import { parseClaudeLine } from "./claude-line.ts";
import type { Clock } from "./clock.ts";
import { type ControlRequestBody, sendControlRequest, sendControlResponse } from "./control.ts";
import { Conversation, type ConversationOptions } from "./conversation.ts";
import { isOverlong, type Line } from "./lines.ts";
import type { LiveSettings } from "./live-settings.ts";
import { PendingRequests, type Settlement } from "./pending.ts";
import { type Decision, PermissionManager } from "./permissions.ts";
import type { ClaudeProcess } from "./process-handle.ts";
import {
  type ClaudeMessage,
  type ControlRequest,
  type ControlResponse,
  PermissionRequest,
  type ResultMessage,
} from "./protocol-types.ts";
import type { RecentIds } from "./recent-ids.ts";
import { refuse } from "./refusal.ts";
import { RunState } from "./run-state.ts";
import type { QueuedMessage } from "./turns.ts";
import type { OutboundDraft, TurnCancelled } from "./types.ts";
import { buildUserEnvelope } from "./user-message.ts";

/** The inner part of Claude's answer to a request of ours. */
export type Answer = ControlResponse["response"];

/** What a run tells the session, in the order of Claude's lines. */
export type RunEvents = {
  readonly emit: (message: OutboundDraft) => void;
  /** Claude began to talk. */
  readonly onReady: () => void;
  /** A turn began under this session id. */
  readonly onSessionId: (sessionId: string) => void;
};

export type RunOptions = ConversationOptions & {
  readonly process: ClaudeProcess;
  readonly clock: Clock;
  readonly settings: LiveSettings;
  /** The ids of settled prompts, of earlier processes too. */
  readonly settledPrompts: RecentIds;
};

export class Run {
  readonly process: ClaudeProcess;
  readonly #options: RunOptions;
  readonly #events: RunEvents;
  readonly #conversation: Conversation;
  readonly #permissions: PermissionManager;
  readonly #pending: PendingRequests<Answer>;
  readonly #state: RunState;
  readonly #decoder = new TextDecoder();
  #isReady = false;
  #isInterrupting = false;
  /** What Claude said in a result before it was ready: why it does not start. */
  #startWords: readonly string[] = [];

  constructor(options: RunOptions, events: RunEvents) {
    this.process = options.process;
    this.#options = options;
    this.#events = events;
    this.#conversation = new Conversation(options);
    this.#permissions = new PermissionManager(options.settledPrompts);
    this.#pending = new PendingRequests(options.clock);
    this.#state = new RunState(events.emit);
  }

  /** Claude has begun to talk, so it did start. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Why Claude did not start, in its words on stdout. */
  get startWords(): readonly string[] {
    return this.#startWords;
  }

  get openTurnId(): string | undefined {
    return this.#conversation.openTurnId;
  }

  /** The next message may be handed over. */
  get isIdle(): boolean {
    return this.#isReady && this.#conversation.isIdle;
  }

  /** Hands one message to Claude. */
  handOver(message: QueuedMessage): void {
    this.#tell(this.#conversation.handOver(message));
    this.process.writeLine(JSON.stringify(buildUserEnvelope(message.blocks, message.messageId)));
    this.tellState();
  }

  /** Asks Claude for something; `settle` is called once, in its place among Claude's lines. */
  request(
    id: string,
    body: ControlRequestBody,
    timeoutMs: number,
    settle: (end: Settlement<Answer>) => void,
  ): void {
    this.#pending.open(id, timeoutMs, settle);
    sendControlRequest(this.process, id, body);
  }

  /** How many requests of ours wait for an answer. */
  get openRequests(): number {
    return this.#pending.size;
  }

  /** The open turn is being ended at the host's wish: its prompts and its result will say so. */
  noteInterrupt(): void {
    if (this.openTurnId === undefined) return;
    this.#isInterrupting = true;
    this.#conversation.noteInterrupt();
  }

  /** The open prompts, to decide what an answer of the host's means. */
  get permissions(): PermissionManager {
    return this.#permissions;
  }

  /** Writes the answer to a prompt and closes it. */
  answer(
    requestId: string,
    decision: Exclude<Decision, { problem: string }>,
    replyTo: string | undefined,
  ): void {
    if (decision.endsTurn) this.#conversation.noteInterrupt();
    this.#permissions.close(requestId);
    sendControlResponse(this.process, decision.answer);
    this.#events.emit({
      type: "control_request_resolved",
      request_id: requestId,
      outcome: decision.outcome,
      ...(replyTo !== undefined && { in_reply_to: replyTo }),
    });
    this.tellState();
  }

  /** Applies one line of Claude's. */
  apply(line: Line): void {
    if (isOverlong(line)) this.#lineLost(line.overlongBytes, line.edges);
    else this.#applyMessage(parseClaudeLine(this.#decoder.decode(line)));
    this.tellState();
  }

  /** Says that Claude is gone: ends all that was open. */
  end(reason: TurnCancelled["reason"], error: string): void {
    this.#tell(this.#permissions.closeAll("exited"));
    // Before the turn ends, since an answer may name it.
    this.#pending.failAll(error);
    this.#tell(this.#conversation.cancel(reason));
  }

  /** Claude began to talk, or is taken to have. */
  becomeReady(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    this.#events.onReady();
    this.tellState();
  }

  #applyMessage(event: ClaudeMessage): void {
    switch (event.type) {
      case "control_request":
        this.#asked(event);
        break;
      case "control_response":
        this.#answered(event);
        break;
      case "control_cancel_request":
        this.#withdrawn(event.request_id);
        break;
      case "keep_alive":
        break;
      case "result":
        this.#result(event);
        break;
      default:
        this.#noteSystem(event);
        this.#tell(this.#conversation.apply(event));
    }
  }

  #noteSystem(event: ClaudeMessage): void {
    if (event.type === "news" && event.kind === "system/background_tasks_changed") {
      this.#state.backgroundTasks = event.message.tasks;
    }
    if (event.type !== "system") return;
    if (event.subtype === "init") {
      this.becomeReady();
      this.#events.onSessionId(event.session_id);
      this.#tell(this.#options.settings.noteModel(event.model));
    }
    if (event.subtype === "status") this.#state.isCompacting = event.status === "compacting";
    if (event.subtype !== "compact_boundary") {
      this.#tell(this.#options.settings.noteMode(event.permissionMode));
    }
  }

  #result(event: ResultMessage): void {
    if (!this.#isReady) {
      this.#startWords = event.errors ?? (event.result === undefined ? [] : [event.result]);
      return;
    }
    this.#isInterrupting = false;
    this.#tell(this.#permissions.closeAll("withdrawn", ({ isBackground }) => !isBackground));
    this.#tell(this.#conversation.apply(event));
  }

  #asked(event: ControlRequest): void {
    const request = PermissionRequest.safeParse(event.request);
    if (request.success) {
      this.#forward(event.request_id, request.data);
      return;
    }
    const { answer, message } = refuse(event);
    if (answer !== undefined) sendControlResponse(this.process, answer);
    this.#events.emit(message);
  }

  #forward(requestId: string, request: PermissionRequest): void {
    const { agent_id: agentId } = request;
    const prompt = this.#permissions.open(
      requestId,
      request,
      this.#conversation.isBackground(agentId),
    );
    if (prompt === undefined) return;
    const { subtype: _subtype, ...fields } = request;
    this.#tell(this.#conversation.ensureOpenFor(agentId));
    const forward: OutboundDraft = {
      ...fields,
      type: "control_request_forward",
      request_id: requestId,
      is_question: prompt.questions !== undefined,
    };
    this.#events.emit(this.#conversation.place(forward, this.#conversation.laneOf(agentId)));
  }

  /** An answer to a request that is not ours is the echo of an answer of ours. */
  #answered({ response }: ControlResponse): void {
    if (response.request_id !== undefined) this.#pending.answer(response.request_id, response);
  }

  #withdrawn(requestId: string): void {
    if (!this.#permissions.close(requestId)) return;
    const reason = this.#isInterrupting ? "interrupted" : "withdrawn";
    this.#events.emit({ type: "control_request_cancel", request_id: requestId, reason });
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
    if (/"type":"result"/.test(edges)) this.#tell(this.#conversation.loseTurn());
  }

  #tell(messages: readonly OutboundDraft[]): void {
    for (const message of messages) this.#events.emit(message);
  }

  /** Tells the host what the session is doing, if that is news. */
  tellState(): void {
    this.#state.update({
      isReady: this.#isReady,
      isAsking: this.#permissions.isAsking,
      isRunning: this.openTurnId !== undefined,
    });
  }
}
