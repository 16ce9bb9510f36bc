/**
 * The session: one method for each message of the host. Owns all state that outlives a Claude process.
 * Is given its way to start processes, its clock and its way to emit; has no pipe of its own.
 */

import { stringsIn } from "./base/json.ts";
import { modeRefusal } from "./claude/capabilities.ts";
import type { ControlMessage } from "./messages/control-messages.ts";
import { errorMessage } from "./messages/errors.ts";
import type { HostTools } from "./messages/host-tool-messages.ts";
import type { ProtocolInit } from "./messages/protocol-init.ts";
import type { CancelMessage, UserMessageInput } from "./messages/user-messages.ts";
import type { PromptAnswer } from "./permissions.ts";
import { notOpen, rejectAnswer } from "./run/answer-problem.ts";
import type { ProgramAnswer } from "./run/program-requests.ts";
import type { Outcome } from "./run/prompts.ts";
import type { Run } from "./run/run.ts";
import { HeldModel, splitModel } from "./session/held-model.ts";
import { HostRequests } from "./session/host-requests.ts";
import { HostToolRequests } from "./session/host-tool-requests.ts";
import { Lifecycle } from "./session/lifecycle.ts";
import { MessageQueue, type Rejection } from "./session/message-queue.ts";
import { RESTART_LIMIT } from "./session/restart-policy.ts";
import type { SessionPorts } from "./session/session-ports.ts";
import type {
  Interrupt,
  ModelChange,
  PermissionModeMessage,
  SessionCommand,
  StopTask,
  ToolApproval,
} from "./types.ts";

/** The requested conversation could not be resumed. */
const NO_CONVERSATION: Rejection = {
  code: "resume_failed",
  message: "there is no current conversation; choose one with session_command",
};

export class SessionManager {
  readonly #deps: SessionPorts;
  readonly #lifecycle: Lifecycle;
  readonly #requests: HostRequests;
  readonly #toolRequests: HostToolRequests;
  readonly #queue: MessageQueue;
  readonly #heldModel = new HeldModel();

  constructor(deps: SessionPorts) {
    this.#deps = deps;
    this.#queue = new MessageQueue(deps.emit);
    this.#lifecycle = new Lifecycle(deps, {
      hasQueued: () => this.#queue.length > 0,
      onStep: (run) => {
        if (run.isIdle) this.#deliverNext(run);
        else if (this.#queue.isUrgent) run.makeWay();
      },
      onQueueDropped: (reason) => void this.#queue.cancelAll(reason),
    });
    this.#requests = new HostRequests(() => this.#lifecycle.liveRun, deps.emit);
    this.#toolRequests = new HostToolRequests(this.#lifecycle, this.#requests);
  }

  /** The id of the current conversation. Undefined until one is chosen. */
  get sessionId(): string | undefined {
    return this.#lifecycle.current.id;
  }

  /** Applies the host's choices. `sessionId` is defined then, unless files must be read for it. */
  configure(init: ProtocolInit): void {
    this.#lifecycle.configure(init);
  }

  /** Starts Claude. The answer to `protocol_init` is sent before. */
  start(init: ProtocolInit): void {
    this.#lifecycle.start(init);
  }

  handleUserMessage(input: UserMessageInput): void {
    const messageId = input.message_id ?? this.#deps.newId();
    const { max_queued } = this.#lifecycle.options;
    const inFlight = this.#lifecycle.run?.turns.waitingLoad;
    const rejection = this.#rejection ?? this.#queue.accept(input, messageId, max_queued, inFlight);
    if (rejection !== undefined) {
      this.#queue.reject(input, messageId, rejection);
      return;
    }
    if (input.delivery === "steer") this.#steer();
    if (input.delivery === "now") this.#takeBack();
    this.#lifecycle.step();
  }

  handleCancelMessage(message: CancelMessage): void {
    const { message_id: id } = message;
    const ok = this.#queue.cancel(id, "withdrawn");
    if (!ok && this.#lifecycle.liveRun?.turns.isWaiting(id) === true) {
      this.#recall(message);
      return;
    }
    const error = this.#queue.knows(id) ? "too_late" : "unknown_message";
    const outcome = ok ? { ok } : { ok, error };
    this.#requests.ask({ subtype: "cancel_message" }, message, { outcome });
  }

  handleControl({ type: _type, id, ...body }: ControlMessage): void {
    if (body.subtype === "mcp_set_servers") {
      this.#toolRequests.setServers(body, { id });
      return;
    }
    const run = this.#lifecycle.liveRun;
    const held = this.#heldModel.mustWait(run) ? splitModel(body) : undefined;
    const onAccepted = () => {
      for (const message of this.#lifecycle.settings.recordRequest(body)) this.#deps.emit(message);
      if (run !== undefined && held !== undefined) this.#heldModel.hold(run, held.model);
    };
    this.#requests.ask(held?.rest ?? body, { id }, { onAccepted });
  }

  handleToolApproval(approval: ToolApproval): void {
    if (this.#answer(approval) === "allow")
      this.#lifecycle.settings.recordUpdates(approval.updatedPermissions ?? []);
  }

  /** Settles a question, an elicitation or a dialog. */
  handleQuestionAnswer(answer: Exclude<PromptAnswer, ToolApproval>): void {
    this.#answer(answer);
  }

  handleInterrupt(message: Interrupt): void {
    const isForAll = message.cancel_queued === true;
    const withdrawn = isForAll ? this.#queue.cancelAll("interrupted") : [];
    const run = this.#lifecycle.liveRun;
    const turnId = run?.turns.openTurnId;
    run?.recordInterrupt();
    if (isForAll) run?.recordRecall("interrupted");
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
        ...(isForAll && { cancelled: [...withdrawn, ...stringsIn(response["cancelled"])] }),
      }),
      onAccepted: (response) => {
        for (const id of stringsIn(response["cancelled"])) run?.withdraw(id);
        run?.recordInterruptAccepted(stringsIn(response["still_queued"]));
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

  handleHostTools(message: HostTools): void {
    this.#toolRequests.replace(message);
  }

  /** Settles Claude's requests to the host's program. */
  handleProgramAnswer(answer: ProgramAnswer): void {
    const { run } = this.#lifecycle;
    if (run !== undefined) run.answerProgram(answer);
    else this.#rejectAnswer(answer);
  }

  handleStopTask(message: StopTask): void {
    this.#requests.ask({ subtype: "stop_task", task_id: message.task_id }, message);
  }

  handleSessionCommand(message: SessionCommand): void {
    const error = this.#commandRefusal(message);
    const ok = error === undefined;
    const outcome = ok ? { ok } : { ok, error };
    this.#requests.ask({ subtype: "session_command" }, message, { outcome });
    if (!ok) return;
    this.#queue.cancelAll("session_command");
    this.#lifecycle.switchSession(message);
  }

  /**
   * Ends Claude; resolves when its process has exited. With `drain` the open turn and the queued
   * messages are finished first. Without `hasHost` nobody answers, so the first prompt, call or hook ends it.
   */
  shutdown(drain: boolean, hasHost = false): Promise<void> {
    return this.#lifecycle.shutdown(drain, hasHost);
  }

  /** Settles a prompt. Undefined if the answer is not accepted. */
  #answer(answer: PromptAnswer): Outcome | undefined {
    const { run } = this.#lifecycle;
    if (run !== undefined) return run.answer(answer);
    this.#rejectAnswer(answer);
    return undefined;
  }

  /** No process runs that could have asked. */
  #rejectAnswer(answer: PromptAnswer | ProgramAnswer): void {
    const { settledPrompts } = this.#lifecycle;
    rejectAnswer(answer, notOpen(answer.request_id, settledPrompts), this.#deps.emit);
  }

  /** Asks Claude to give a message back that it has not begun. */
  #recall(message: CancelMessage): void {
    const { message_id } = message;
    const body = { subtype: "cancel_async_message", message_uuid: message_id };
    this.#lifecycle.run?.recordRecall("withdrawn", message_id);
    this.#requests.ask(body, message, {
      resultSubtype: "cancel_message",
      refusalIn: ({ cancelled }) => (cancelled === true ? undefined : "too_late"),
      onAccepted: () => this.#lifecycle.run?.withdraw(message_id),
    });
  }

  /** A held choice was answered with success before. */
  #modelRefused(why: string): void {
    const message = `claude does not take the model that was chosen: ${why}`;
    this.#deps.emit(errorMessage("control_rejected", message));
  }

  /** Delivers the first message to an idle Claude. */
  #deliverNext(run: Run): void {
    this.#heldModel.release(run, (why) => this.#modelRefused(why));
    const next = this.#queue.shift();
    if (next !== undefined) run.deliver(next);
  }

  /** Claude returns the messages that it has not begun, where it can: it would begin them first. */
  #takeBack(): void {
    const { liveRun: run, isChanging } = this.#lifecycle;
    if (!isChanging && run !== undefined) run.recall("interrupted", run.turns.waitingIds);
  }

  /** Delivers the newest message in an open turn. Between turns it is delivered like any other. */
  #steer(): void {
    const { liveRun: run, isChanging } = this.#lifecycle;
    if (isChanging || run?.turns.openTurnId === undefined || run.turns.isFull) return;
    // Claude would begin it before the message that the turn is ended for.
    if (this.#queue.isUrgent) return;
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

  /** Why no message is accepted at this moment. */
  get #rejection(): Rejection | undefined {
    const { isClosing, isRestartLimited, current, isChanging } = this.#lifecycle;
    if (isClosing) return { code: "message_rejected", message: "tugtalk is shutting down" };
    if (isRestartLimited) return RESTART_LIMIT;
    return current.id === undefined && !isChanging ? NO_CONVERSATION : undefined;
  }
}

/** The messages that Claude keeps after the interrupted turn. */
function stillWaiting(response: Readonly<Record<string, unknown>>, run: Run | undefined): string[] {
  return stringsIn(response["still_queued"]).filter((id) => run?.turns.isWaiting(id) === true);
}
