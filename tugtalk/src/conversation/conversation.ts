/**
 * The conversation of one Claude process: its turns, blocks, tool calls, tasks and cost. Takes checked
 * lines in order and returns the messages that each one means, with their turn. Does no I/O. Control
 * messages are handled in `run/line-dispatcher.ts`.
 */

import type { MessageRetracted } from "../messages/content-messages.ts";
import type {
  AssistantMessage,
  StreamEvent,
  StreamEventMessage,
  UserMessage,
} from "../messages/conversation-lines.ts";
import type { Notification } from "../messages/notifications.ts";
import type { SessionOptions } from "../messages/options.ts";
import type { TurnCancelled, TurnTrigger } from "../messages/turn-messages.ts";
import type { ClaudeMessage, CompactBoundaryMessage, ResultMessage } from "../protocol-types.ts";
import { fromAssistant } from "../routing/assistant-blocks.ts";
import { isBlockMessage } from "../routing/block-messages.ts";
import { commandOutput, isModelTrace } from "../routing/local-commands.ts";
import type { ParentToolUseId } from "../routing/parent-tool-use-id.ts";
import { fromResult } from "../routing/results.ts";
import { fromSystem, fromUnknown, type SystemMessage } from "../routing/router.ts";
import { fromUser, withToolName } from "../routing/tool-results.ts";
import type { OutboundDraft } from "../types.ts";
import { Askers } from "./askers.ts";
import { Blocks } from "./blocks.ts";
import { CostTracker } from "./cost.ts";
import { EmittedBlocks } from "./emitted-blocks.ts";
import { fromNotification, isOfTurn, withoutHeartbeat } from "./notification-scope.ts";
import { Reprints } from "./reprints.ts";
import { Tasks } from "./tasks.ts";
import { ToolCalls } from "./tool-calls.ts";
import { Turns } from "./turns.ts";

/** The lines that are part of a conversation. */
export type ConversationMessage = Exclude<
  ClaudeMessage,
  { type: `control_${string}` | "keep_alive" | "transcript_mirror" }
>;

export type ConversationOptions = {
  readonly newId: () => string;
  /** The cost so far, in US dollars, where it is known. */
  readonly costBaseline: number | undefined;
  readonly options: Pick<SessionOptions, "tool_input_deltas">;
};

export class Conversation {
  readonly #hasToolInputDeltas: boolean;
  /** The turns, and the messages of the host that they are for. */
  readonly turns: Turns;
  readonly #blocks = new Blocks();
  readonly #emittedBlocks = new EmittedBlocks();
  readonly #reprints = new Reprints();
  readonly #calls = new ToolCalls();
  readonly #tasks = new Tasks(this.#calls);
  /** Who asks a person. */
  readonly askers: Askers;
  readonly #cost: CostTracker;
  /** The trigger of the next turn that Claude begins by itself, as far as notifications say (§15). */
  #nextTrigger: TurnTrigger = "unknown";
  /** A boundary has come. The summary follows it without a mark of its own. */
  #awaitsSummary = false;

  constructor({ newId, costBaseline, options }: ConversationOptions) {
    this.#hasToolInputDeltas = options.tool_input_deltas === true;
    this.turns = new Turns(newId);
    this.askers = new Askers(this.#tasks, this.#calls, this.turns);
    this.#cost = new CostTracker(costBaseline);
  }

  /** Whether background work may begin a turn. */
  get hasBackgroundTasks(): boolean {
    return this.#tasks.hasBackground;
  }

  /** Applies one line. */
  apply(event: ConversationMessage): OutboundDraft[] {
    switch (event.type) {
      case "system":
        return this.#system(event);
      case "assistant":
        return this.#assistant(event);
      case "user":
        return this.#user(event);
      case "stream_event":
        return this.#streamEvent(event);
      case "result":
        return this.#result(event);
      case "notification":
        return this.#notification(withoutHeartbeat(event));
      case "unknown":
        return [fromUnknown(event)];
    }
  }

  /** Applies a stream event that differs from the last one in its text only. */
  repeat({ event, parent_tool_use_id }: StreamEventMessage): void {
    if (event.type === "content_block_delta")
      this.#blocks.repeat(event, parent_tool_use_id ?? undefined);
  }

  /** A hook is asked before a turn begins. Where Claude has no message, the turn is one of its own. */
  recordPromptHook(): OutboundDraft[] {
    return this.turns.isIdle ? this.turns.ensureOpen(this.#takeTrigger()) : [];
  }

  /** Ends all open turns, blocks and calls, because the process ends. */
  cancel(reason: TurnCancelled["reason"]): OutboundDraft[] {
    const partial = this.#blocks.openText;
    return [...this.#withTurn(this.#blocks.abandon()), ...this.turns.cancel(reason, partial)];
  }

  /** Ends the open turn, whose result was lost. */
  loseTurn(): OutboundDraft[] {
    const partial = this.#blocks.openText;
    return [...this.#abandonForeground(), ...this.turns.lose(partial)];
  }

  #system(event: SystemMessage): OutboundDraft[] {
    if (event.subtype === "compact_boundary") this.#recordCompaction(event);
    const opened = this.#begin(event);
    const started = event.subtype === "status" ? (event.user_message_uuids ?? []) : [];
    const confirmed = started.flatMap((id) => this.turns.confirm(id));
    const messages = this.#reprints.withoutRepeatedEnd(event, fromSystem(event));
    return [...opened, ...confirmed, ...this.#withTurn(messages)];
  }

  #recordCompaction(boundary: CompactBoundaryMessage): void {
    this.#awaitsSummary = true;
    this.#reprints.recordCompaction(boundary);
  }

  #begin(event: SystemMessage): OutboundDraft[] {
    if (event.subtype === "status" && event.status === "compacting") return this.#recordContent();
    if (event.subtype !== "init") return [];
    const trigger = this.#takeTrigger();
    // The turn before writes no more, even if its result is still to come.
    const ended = this.turns.isFollowedBy(trigger) ? this.#abandonForeground() : [];
    return [...ended, ...this.turns.begin(trigger)];
  }

  #assistant(event: AssistantMessage): OutboundDraft[] {
    const routed = fromAssistant(event);
    if (this.#reprints.isRepeated(event.uuid, routed)) return [];
    const opened = this.#recordContent(event.parent_tool_use_id);
    const messages = routed.flatMap((message) => this.#confirm(message, event));
    for (const message of messages) this.#calls.record(message);
    const retracted = this.#retract(event.supersedes, "superseded");
    this.#emittedBlocks.remember(event.uuid, messages);
    return [...opened, ...retracted, ...this.#withTurn(messages)];
  }

  #confirm(message: OutboundDraft, { message: { model, usage } }: AssistantMessage) {
    if (isBlockMessage(message)) return this.#blocks.confirm(message);
    if (message.type !== "message_complete") return [message];
    const emitted = this.#blocks.complete(message);
    const isMain = message.parent_tool_use_id === undefined;
    if (isMain && emitted.length > 0) this.#cost.startCall(model, usage);
    return emitted.map((complete) => this.#cost.withContext(complete));
  }

  #user(event: UserMessage): OutboundDraft[] {
    this.#tasks.recordResult(event);
    const { isReplay, uuid = "" } = event;
    const routed = fromUser(event);
    if (this.#reprints.isRepeated(uuid, routed)) return [];
    if (routed.some(isModelTrace) && !this.turns.isRunning("/model")) return [];
    if (isReplay === true && this.turns.isFor([uuid]) && !this.turns.hasBegun)
      return this.turns.reject(uuid);
    const confirmed = this.turns.confirm(uuid, "echo");
    const messages = routed.map((message) =>
      withToolName(this.#asSummary(message), (id) => this.#calls.get(id)?.name),
    );
    const hasResult = messages.some(({ type }) => type === "tool_result");
    const opened = hasResult ? this.#recordContent(event.parent_tool_use_id) : [];
    for (const message of messages) this.#calls.record(message);
    return [...opened, ...confirmed, ...this.#withTurn(messages)];
  }

  #streamEvent(event: StreamEventMessage): OutboundDraft[] {
    const parentToolUseId = event.parent_tool_use_id ?? undefined;
    const emitted = this.#startMessage(event.event, parentToolUseId);
    for (const message of this.#blocks.stream(event.event, parentToolUseId)) {
      if (message.type === "tool_input_delta" && !this.#hasToolInputDeltas) continue;
      this.#calls.record(message);
      const isUnknown = message.type === "unknown_event";
      const whole = isUnknown ? { ...message, raw: event } : this.#cost.withContext(message);
      emitted.push(this.#inTurn(whole));
    }
    return emitted;
  }

  #startMessage(event: StreamEvent, parentToolUseId: ParentToolUseId): OutboundDraft[] {
    if (event.type !== "message_start") return [];
    const { model, usage } = event.message;
    if (parentToolUseId === undefined) this.#cost.startCall(model, usage);
    return this.#recordContent(parentToolUseId);
  }

  #result(event: ResultMessage): OutboundDraft[] {
    const opened = this.turns.ensureOpenForResult();
    const settled = this.turns.settle(event.origin?.kind);
    const output =
      this.turns.isSilentCommand && event.result ? [commandOutput(event.result, false)] : [];
    const ended = this.turns.openCount > 1 ? [] : this.#abandonForeground();
    this.#awaitsSummary = false;
    return [
      ...opened,
      ...settled,
      ...this.#withTurn(output),
      ...ended,
      ...fromResult(event, this.turns.view, this.#cost.settle(event)),
      ...this.turns.complete(),
    ];
  }

  #notification(notification: Notification): OutboundDraft[] {
    this.#tasks.record(notification);
    const effects = this.#recordNotification(notification);
    const message = fromNotification(notification, this.#tasks);
    return [...effects, isOfTurn(notification, this.#tasks) ? this.#inTurn(message) : message];
  }

  #recordNotification({ kind, message }: Notification): OutboundDraft[] {
    if (kind === "conversation_reset") this.#cost.reset();
    if (kind === "system/model_refusal_fallback")
      return this.#retract(message.retracted_message_uuids, "refusal");
    // The end of a task starts a turn, unless a tool call awaits it.
    if (kind === "system/task_notification" && !this.#tasks.isAwaited(message))
      this.#nextTrigger = "task";
    if (kind !== "command_lifecycle") return [];
    const { command_uuid: messageId, state, wakeup_source: wakeupSource } = message;
    if (wakeupSource !== undefined) this.#nextTrigger = "schedule";
    if (DROPPED.has(state)) return this.turns.withdraw(messageId);
    return state === "started" ? this.turns.confirm(messageId) : [];
  }

  #retract(
    uuids: readonly string[] | null | undefined,
    reason: MessageRetracted["reason"],
  ): OutboundDraft[] {
    return uuids == null ? [] : this.#withTurn(this.#emittedBlocks.retract(uuids, reason));
  }

  #takeTrigger(): TurnTrigger {
    const trigger = this.#nextTrigger;
    this.#nextTrigger = "unknown";
    return trigger;
  }

  /** Content of the main conversation opens a turn if none is open. Content of a subagent opens none. */
  #recordContent(parentToolUseId?: string | null): OutboundDraft[] {
    if (typeof parentToolUseId === "string") return [];
    const isOpen = this.turns.openTurnId !== undefined;
    const opened = isOpen ? [] : this.turns.ensureOpen(this.#takeTrigger());
    this.turns.recordContent();
    return opened;
  }

  /** Ends the blocks that end with the turn. */
  #abandonForeground(): OutboundDraft[] {
    return this.#withTurn(this.#blocks.abandon((id) => this.#tasks.isBackground(id)));
  }

  #withTurn(messages: readonly OutboundDraft[]): OutboundDraft[] {
    return messages.map((message) => this.#inTurn(message));
  }

  /** Adds the open turn. Background work has none. */
  #inTurn(message: OutboundDraft): OutboundDraft {
    const isBackground = this.#tasks.isBackground(message.parent_tool_use_id);
    const turnId = isBackground ? undefined : this.turns.openTurnId;
    return turnId === undefined ? message : { ...message, turn_id: turnId };
  }

  #asSummary(message: OutboundDraft): OutboundDraft {
    if (!this.#awaitsSummary || message.type !== "user_text" || message.kind !== "synthetic")
      return message;
    this.#awaitsSummary = false;
    return { ...message, kind: "compact_summary" };
  }
}

/** The states of a message that Claude will not begin. */
const DROPPED: ReadonlySet<string> = new Set(["cancelled", "discarded", "refused"]);
