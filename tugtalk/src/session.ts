/**
 * The session: the one owner of mutable state, and the front door of the bridge. Holds what outlives
 * a Claude process: the conversation in hand, the settings in force, the queue. Is given a way to
 * start processes and a way to tell the host; knows no pipe and no clock of its own.
 */

import { modeRefusal } from "./claude/capabilities.ts";
import type { ControlMessage } from "./messages/control-messages.ts";
import { replyTo } from "./messages/envelope.ts";
import { OPTION_DEFAULTS } from "./messages/options.ts";
import type { DialogAnswer, ElicitationAnswer } from "./messages/prompt-messages.ts";
import type { ProtocolInit } from "./messages/protocol-init.ts";
import type { PromptAnswer } from "./permissions.ts";
import { type Outcome, rejectAnswer } from "./run/prompts.ts";
import type { Run } from "./run/run.ts";
import { HeldModel, splitModel } from "./session/held-model.ts";
import { HostRequests } from "./session/host-requests.ts";
import { Lifecycle } from "./session/lifecycle.ts";
import { MessageQueue, type Rejection } from "./session/message-queue.ts";
import { RESTART_LIMIT } from "./session/restart-policy.ts";
import type { SessionPorts } from "./session/session-ports.ts";
import type {
  CancelMessage,
  Interrupt,
  ModelChange,
  PermissionModeMessage,
  QuestionAnswer,
  SessionCommand,
  StopTask,
  ToolApproval,
  UserMessageInput,
} from "./types.ts";

export { buildClaudeArgs, type ClaudeSpawnConfig } from "./claude/claude-args.ts";
export { routeTopLevelEvent, type TopLevelRoutingResult } from "./routing/router.ts";
export { type EventMappingResult, mapStreamEvent } from "./routing/stream-events.ts";

/** The one that was wanted could not be taken up. */
const NO_CONVERSATION: Rejection = {
  code: "resume_failed",
  message: "no conversation is in hand; choose one with session_command",
};

export class SessionManager {
  readonly #deps: SessionPorts;
  readonly #lifecycle: Lifecycle;
  readonly #requests: HostRequests;
  readonly #queue = new MessageQueue();
  readonly #heldModel = new HeldModel();

  constructor(deps: SessionPorts) {
    this.#deps = deps;
    this.#lifecycle = new Lifecycle(deps, {
      hasQueued: () => this.#queue.length > 0,
      onIdle: (run) => {
        this.#heldModel.release(run, (why) => this.#modelRefused(why));
        this.#deliverNext(run);
      },
      onQueueDropped: (reason) => void this.#cancelQueue(reason),
    });
    this.#requests = new HostRequests(() => this.#lifecycle.liveRun, deps.emit);
  }

  /** The id of the conversation in hand, once one is chosen. */
  get sessionId(): string | undefined {
    return this.#lifecycle.current.id;
  }

  /** Takes the host's choices. What is known of the session without asking anybody is known then. */
  configure(init: ProtocolInit): void {
    this.#lifecycle.configure(init);
  }

  /** Starts Claude. The host has its answer to `protocol_init` by now. */
  start(init: ProtocolInit): void {
    this.#lifecycle.start(init);
  }

  handleUserMessage(input: UserMessageInput): void {
    const messageId = input.message_id ?? this.#deps.newId();
    const { max_queued = OPTION_DEFAULTS.max_queued } = this.#lifecycle.options;
    const replaced = this.#replacedBy(input);
    const room = replaced === undefined ? max_queued : max_queued + 1;
    const underway = this.#lifecycle.run?.turns.waitingLoad;
    const rejection = this.#refusal() ?? this.#queue.accept(input, messageId, room, underway);
    if (rejection !== undefined) {
      this.#reject(input, messageId, rejection);
      return;
    }
    if (replaced !== undefined) this.#queue.drop(replaced);
    const receipt = { type: "message_status", message_id: messageId, status: "queued" } as const;
    this.#deps.emit({ ...receipt, ...replyTo(input) });
    if (replaced !== undefined) this.#emitCancelled(replaced, "replaced");
    if (input.delivery === "steer") this.#steer();
    this.#lifecycle.step();
  }

  handleCancelMessage(message: CancelMessage): void {
    const { message_id: id } = message;
    const wasWaiting = this.#queue.drop(id);
    if (wasWaiting) this.#emitCancelled(id, "withdrawn");
    else if (this.#lifecycle.liveRun?.turns.isWaiting(id) === true) {
      this.#takeBack(message);
      return;
    }
    const error = this.#queue.knows(id) ? "too_late" : "unknown_message";
    this.#deps.emit({
      type: "control_result",
      subtype: "cancel_message",
      ok: wasWaiting,
      ...(!wasWaiting && { error }),
      ...replyTo(message),
    });
  }

  handleControl({ type: _type, id, ...body }: ControlMessage): void {
    const run = this.#lifecycle.liveRun;
    const held = this.#heldModel.mustWait(run) ? splitModel(body) : undefined;
    const onAccepted = () => {
      this.#lifecycle.settings.noteRequest(body);
      if (run !== undefined && held !== undefined) this.#heldModel.hold(run, held.model);
    };
    this.#requests.ask(held?.rest ?? body, { id }, { onAccepted });
  }

  handleElicitationAnswer(answer: ElicitationAnswer): void {
    this.#answer(answer);
  }

  handleDialogAnswer(answer: DialogAnswer): void {
    this.#answer(answer);
  }

  handleToolApproval(approval: ToolApproval): void {
    if (this.#answer(approval) === "allow")
      this.#lifecycle.settings.noteUpdates(approval.updatedPermissions ?? []);
  }

  handleQuestionAnswer(answer: QuestionAnswer): void {
    this.#answer(answer);
  }

  handleInterrupt(message: Interrupt): void {
    const isForAll = message.cancel_queued === true;
    const withdrawn = isForAll ? this.#cancelQueue("interrupted") : [];
    const run = this.#lifecycle.liveRun;
    const turnId = run?.turns.openTurnId;
    run?.noteInterrupt();
    if (isForAll) run?.noteRecall("interrupted");
    const isIdle = run?.turns.isIdle !== false;
    const body = { subtype: "interrupt", ...(isForAll && { cancel_queued: true }) };
    this.#requests.ask(body, message, {
      // Between turns an interrupt stops background agents (2.1.330).
      outcome: isIdle && message.include_background !== true ? { ok: true } : undefined,
      isFineWithoutClaude: true,
      fieldsFrom: (response) => ({
        // A result that comes after the turn's end must not name it.
        ...(turnId !== undefined && run?.turns.isOpen(turnId) && { turn_id: turnId }),
        still_queued: [...this.#queue.ids, ...stillWaiting(response, run)],
        ...(isForAll && { cancelled: [...withdrawn, ...idsIn(response["cancelled"])] }),
      }),
      onAccepted: (response) => {
        for (const id of idsIn(response["cancelled"])) run?.withdraw(id);
        run?.noteInterruptAccepted(idsIn(response["still_queued"]));
      },
    });
  }

  handlePermissionMode(message: PermissionModeMessage): void {
    const { settings } = this.#lifecycle;
    const body = { subtype: "set_permission_mode", mode: message.mode };
    // Older CLIs accept any mode as a request, but only known ones at a start.
    const error = modeRefusal(message.mode, settings.claudeVersion);
    const outcome = error === undefined ? undefined : { ok: false, error };
    const onAccepted = () => this.#deps.emit(settings.chooseMode(message.mode));
    this.#requests.ask(body, message, { outcome, onAccepted, isFineWithoutClaude: true });
  }

  handleModelChange(message: ModelChange): void {
    const { model } = message;
    const run = this.#lifecycle.liveRun;
    const isHeld = this.#heldModel.mustWait(run);
    if (isHeld) this.#heldModel.hold(run, model);
    const onAccepted = () => this.#deps.emit(this.#lifecycle.settings.chooseModel(model));
    const outcome = isHeld ? { ok: true } : undefined;
    const options = { outcome, onAccepted, isFineWithoutClaude: true };
    this.#requests.ask({ subtype: "set_model", model }, message, options);
  }

  handleStopTask(message: StopTask): void {
    this.#requests.ask({ subtype: "stop_task", task_id: message.task_id }, message);
  }

  handleSessionCommand(message: SessionCommand): void {
    const refusal = this.#commandRefusal(message);
    this.#deps.emit({
      type: "control_result",
      subtype: "session_command",
      ok: refusal === undefined,
      ...(refusal !== undefined && { error: refusal }),
      ...replyTo(message),
    });
    if (refusal !== undefined) return;
    this.#cancelQueue("session_command");
    this.#lifecycle.switchSession(message);
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
    return this.#lifecycle.shutdown(drain, hasHost);
  }

  /** Settles a prompt. Undefined if the answer is not accepted. */
  #answer(answer: PromptAnswer): Outcome | undefined {
    const { run, settledPrompts } = this.#lifecycle;
    if (run !== undefined) return run.answer(answer);
    rejectAnswer(answer, settledPrompts, this.#deps.emit);
    return undefined;
  }

  /** Asks Claude for a message back that it has not begun. */
  #takeBack(message: CancelMessage): void {
    const { message_id } = message;
    const body = { subtype: "cancel_async_message", message_uuid: message_id };
    this.#lifecycle.run?.noteRecall("withdrawn", message_id);
    this.#requests.ask(body, message, {
      resultSubtype: "cancel_message",
      refusalIn: ({ cancelled }) => (cancelled === true ? undefined : "too_late"),
      onAccepted: () => this.#lifecycle.run?.withdraw(message_id),
    });
  }

  /** The message that waits to be replaced by this one. */
  #replacedBy({ delivery }: UserMessageInput): string | undefined {
    return delivery === "replace" ? this.#queue.replaceable : undefined;
  }

  /** The host had its answer when the choice was kept. */
  #modelRefused(why: string): void {
    const message = `claude does not take the model that was chosen: ${why}`;
    this.#deps.emit({ type: "error", code: "control_rejected", message, recoverable: true });
  }

  #deliverNext(run: Run): void {
    const next = this.#queue.shift();
    if (next !== undefined) run.deliver(next);
  }

  /** Hands the newest message to a Claude that works. To an idle one it goes like any other. */
  #steer(): void {
    const { liveRun: run, isChanging } = this.#lifecycle;
    if (isChanging || run?.turns.openTurnId === undefined || run.turns.isFull) return;
    const newest = this.#queue.pop();
    if (newest !== undefined) run.deliver(newest);
  }

  /** Why the conversation is not changed. */
  #commandRefusal({ at_message }: SessionCommand): string | undefined {
    if (this.#lifecycle.isClosing) return "shutting down";
    if (at_message !== undefined && this.#isWaiting(at_message))
      return `message ${at_message} is still queued: it is not in the conversation`;
    return this.#lifecycle.isFull ? "too many changes of conversation wait already" : undefined;
  }

  /** Whether a message is queued, here or by Claude. */
  #isWaiting(messageId: string): boolean {
    const isWithClaude = this.#lifecycle.run?.turns.isWaiting(messageId) === true;
    return isWithClaude || this.#queue.ids.includes(messageId);
  }

  #refusal(): Rejection | undefined {
    const { isClosing, isRestartLimited, current, isChanging } = this.#lifecycle;
    if (isClosing) return { code: "message_rejected", message: "tugtalk is shutting down" };
    if (isRestartLimited) return RESTART_LIMIT;
    return current.id === undefined && !isChanging ? NO_CONVERSATION : undefined;
  }

  #reject(input: UserMessageInput, messageId: string, rejection: Rejection): void {
    const { code, message } = rejection;
    const error = { type: "error", code, message, recoverable: true, source: "host" } as const;
    this.#deps.emit({ ...error, message_id: messageId, ...replyTo(input) });
    // The receipts of an id that is in use are those of the first message that had it.
    if (!this.#queue.knows(messageId))
      this.#deps.emit({ type: "message_status", message_id: messageId, status: "rejected" });
  }

  #cancelQueue(reason: string): string[] {
    const ids = this.#queue.clear();
    for (const id of ids) this.#emitCancelled(id, reason);
    return ids;
  }

  #emitCancelled(id: string, reason: string): void {
    this.#deps.emit({ type: "message_status", message_id: id, status: "cancelled", reason });
  }
}

/** The messages that Claude has kept beyond the turn that is interrupted. */
function stillWaiting(response: Readonly<Record<string, unknown>>, run: Run | undefined): string[] {
  return idsIn(response["still_queued"]).filter((id) => run?.turns.isWaiting(id) === true);
}

function idsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === "string") : [];
}
