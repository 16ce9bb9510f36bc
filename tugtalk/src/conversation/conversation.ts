/**
 * The conversation of one Claude process: its turns, blocks, tool calls, tasks and cost. Takes
 * checked lines in order and gives, for each, the messages it means with the turn that they belong
 * to. Writes nothing and asks nothing. Control messages are the business of `run.ts`.
 */

import type { MessageRetracted } from "../messages/content-messages.ts";
import type {
  AssistantMessage,
  StreamEventMessage,
  UserMessage,
} from "../messages/conversation-lines.ts";
import type { Notification } from "../messages/notifications.ts";
import type { TurnCancelled } from "../messages/turn-messages.ts";
import type {
  ClaudeMessage,
  CompactBoundaryMessage,
  ControlRequest,
  ControlResponse,
  ResultMessage,
  StatusMessage,
  SystemInitMessage,
} from "../protocol-types.ts";
import { isBlockMessage } from "../routing/block-messages.ts";
import { routeTopLevelEvent } from "../routing/router.ts";
import { commandOutput, isModelEcho, toolResults } from "../routing/tool-results.ts";
import type { OutboundDraft } from "../types.ts";
import { Askers } from "./askers.ts";
import { Blocks, type ParentToolUseId } from "./blocks.ts";
import { CostTracker } from "./cost.ts";
import { EmittedBlocks } from "./emitted-blocks.ts";
import { NextTrigger } from "./next-trigger.ts";
import { scopeOfNotification } from "./notification-scope.ts";
import { Tasks } from "./tasks.ts";
import { ToolCalls } from "./tool-calls.ts";
import { Turns } from "./turns.ts";

/** The lines that a conversation is made of. */
export type ConversationMessage = Exclude<
  ClaudeMessage,
  | ControlRequest
  | ControlResponse
  | { type: "control_cancel_request" | "keep_alive" | "transcript_mirror" }
>;

/** What a conversation may be told about itself. */
export type ConversationOptions = {
  readonly newId: () => string;
  /** US dollars that the total starts from, where it is known. */
  readonly costBaseline: number | undefined;
  readonly hasToolInputDeltas: boolean;
};

export class Conversation {
  readonly #options: ConversationOptions;
  /** The turns, and the host's messages that they are for. */
  readonly turns: Turns;
  readonly #blocks = new Blocks();
  readonly #emittedBlocks = new EmittedBlocks();
  readonly #tasks = new Tasks();
  readonly #calls = new ToolCalls();
  /** Who asks a person. */
  readonly askers = new Askers(this.#tasks, this.#calls);
  readonly #cost: CostTracker;
  readonly #nextTrigger = new NextTrigger();
  /** The summary follows its boundary, without a mark of its own. */
  #awaitsSummary = false;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.turns = new Turns(options.newId);
    this.#cost = new CostTracker(options.costBaseline);
  }

  /** What one line means. */
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
        return this.#notification(event);
      case "unknown":
        return [...routeTopLevelEvent(event).messages];
    }
  }

  /** Ends what is open, because the process does. */
  cancel(reason: TurnCancelled["reason"]): OutboundDraft[] {
    const partial = this.#blocks.openText;
    return [...this.#abandonBlocks(() => false), ...this.turns.cancel(reason, partial)];
  }

  /** Ends the open turn, whose result was lost on the way. */
  loseTurn(): OutboundDraft[] {
    const partial = this.#blocks.openText;
    return [...this.#abandonBlocks(this.#outlives), ...this.turns.lose(partial)];
  }

  /** Puts a message where it belongs: the turn and the lane. A background lane has no turn. */
  place(message: OutboundDraft, parentToolUseId: ParentToolUseId): OutboundDraft {
    const turnId = this.#tasks.isBackground(parentToolUseId) ? undefined : this.turns.openTurnId;
    return {
      ...message,
      ...(turnId !== undefined && { turn_id: turnId }),
      ...(parentToolUseId !== undefined && { parent_tool_use_id: parentToolUseId }),
    };
  }

  #system(event: SystemInitMessage | StatusMessage | CompactBoundaryMessage): OutboundDraft[] {
    if (event.subtype === "compact_boundary") this.#awaitsSummary = true;
    const confirmed = event.subtype === "status" ? (event.user_message_uuids ?? []) : [];
    return [
      ...this.#begin(event),
      ...confirmed.flatMap((id) => this.turns.confirm(id)),
      ...this.#placed(routeTopLevelEvent(event).messages, undefined),
    ];
  }

  #begin(event: SystemInitMessage | StatusMessage | CompactBoundaryMessage): OutboundDraft[] {
    if (isCompacting(event)) return this.#contentIn(undefined);
    if (event.subtype !== "init") return [];
    const trigger = this.#nextTrigger.take();
    // What the turn before it was writing has been said.
    const ended = this.turns.isFollowedBy(trigger) ? this.#abandonBlocks(this.#outlives) : [];
    return [...ended, ...this.turns.begin(trigger)];
  }

  readonly #outlives = (parentToolUseId: ParentToolUseId): boolean =>
    this.#tasks.isBackground(parentToolUseId);

  #assistant(event: AssistantMessage): OutboundDraft[] {
    const { messages, parentToolUseId } = routeTopLevelEvent(event);
    const opened = this.#contentIn(parentToolUseId);
    const blocks = messages.flatMap((message) =>
      isBlockMessage(message) ? this.#blocks.place(message, parentToolUseId) : [message],
    );
    for (const message of blocks) this.#rememberCall(message, parentToolUseId);
    const retracted = this.#retract(event.supersedes, "superseded");
    this.#emittedBlocks.remember(event.uuid, blocks, parentToolUseId);
    return [...opened, ...retracted, ...this.#placed(blocks, parentToolUseId)];
  }

  #user(event: UserMessage): OutboundDraft[] {
    const { messages, parentToolUseId } = routeTopLevelEvent(event);
    this.#tasks.noteResult(event);
    if (event.isReplay === true && isModelEcho(event) && !this.turns.isRunning("/model")) return [];
    if (event.isReplay === true && this.turns.statusOf([event.uuid ?? ""]) === "pending") {
      return this.turns.reject(event.uuid ?? "");
    }
    const confirmed = event.uuid === undefined ? [] : this.turns.confirm(event.uuid, "echo");
    const opened = messages.some(({ type }) => type === "tool_result")
      ? this.#contentIn(parentToolUseId)
      : [];
    const said = messages.map((message) => this.#named(this.#asSummary(message)));
    for (const { tool_use_id } of toolResults(event)) this.#calls.end(tool_use_id);
    return [...opened, ...confirmed, ...this.#placed(said, parentToolUseId)];
  }

  #streamEvent(event: StreamEventMessage): OutboundDraft[] {
    const parentToolUseId = event.parent_tool_use_id ?? undefined;
    const opened =
      event.event.type === "message_start" ? this.#startMessage(event.event, parentToolUseId) : [];
    const messages = this.#blocks
      .stream(event.event, parentToolUseId)
      .map((message) => (message.type === "unknown_event" ? { ...message, raw: event } : message));
    const wanted = this.#options.hasToolInputDeltas
      ? messages
      : messages.filter(({ type }) => type !== "tool_input_delta");
    for (const message of wanted) this.#rememberCall(message, parentToolUseId);
    const placed = this.#placed(wanted, parentToolUseId);
    return opened.length === 0 ? placed : [...opened, ...placed];
  }

  #startMessage(
    event: Extract<StreamEventMessage["event"], { type: "message_start" }>,
    parentToolUseId: ParentToolUseId,
  ): OutboundDraft[] {
    if (parentToolUseId === undefined)
      this.#cost.startCall(event.message.model, event.message.usage);
    return this.#contentIn(parentToolUseId);
  }

  #result(event: ResultMessage): OutboundDraft[] {
    const opened = this.turns.ensureOpenForResult();
    const settled = this.turns.settle(event.origin?.kind);
    const said =
      this.turns.isSilentCommand && event.result ? [commandOutput(event.result, false)] : [];
    const ended = this.turns.openCount > 1 ? [] : this.#abandonBlocks(this.#outlives);
    const scene = { turn: this.turns.view, spending: this.#cost.settle(event) };
    const { messages } = routeTopLevelEvent(event, scene);
    this.#awaitsSummary = false;
    return [
      ...opened,
      ...settled,
      ...this.#placed([...said, ...ended], undefined),
      ...messages,
      ...this.turns.complete(),
    ];
  }

  #notification(notification: Notification): OutboundDraft[] {
    this.#tasks.note(notification);
    this.#nextTrigger.note(notification, this.#tasks.isAwaited(notification.message));
    const confirmed = this.#noteNotification(notification);
    return [...confirmed, ...this.#scopedNotification(notification)];
  }

  #retract(
    uuids: readonly string[] | null | undefined,
    reason: MessageRetracted["reason"],
  ): OutboundDraft[] {
    const retracted = this.#emittedBlocks.retract(uuids ?? [], reason);
    return retracted.map(({ message, parentToolUseId }) => this.place(message, parentToolUseId));
  }

  #noteNotification({ kind, message }: Notification): OutboundDraft[] {
    switch (kind) {
      case "system/model_refusal_fallback":
        return this.#retract(message.retracted_message_uuids, "refusal");
      case "conversation_reset":
        this.#cost.reset();
        return [];
      case "command_lifecycle":
        return this.#noteLifecycle(message.command_uuid, message.state);
      default:
        return [];
    }
  }

  #noteLifecycle(messageId: string, state: string): OutboundDraft[] {
    if (DROPPED.has(state)) return this.turns.withdraw(messageId);
    return state === "started" ? this.turns.confirm(messageId) : [];
  }

  #scopedNotification(notification: Notification): OutboundDraft[] {
    const { message, isOfTurn, parentToolUseId } = scopeOfNotification(notification, this.#tasks);
    return [isOfTurn ? this.place(message, parentToolUseId) : message];
  }

  #ensureOpen(): OutboundDraft[] {
    return this.turns.openTurnId === undefined
      ? this.turns.ensureOpen(this.#nextTrigger.take())
      : [];
  }

  /** Content of the main conversation opens a turn if none is open; that of a subagent does not. */
  #contentIn(parentToolUseId: ParentToolUseId): OutboundDraft[] {
    if (parentToolUseId !== undefined) return [];
    const opened = this.#ensureOpen();
    this.turns.noteContent();
    return opened;
  }

  #abandonBlocks(outlives: (parentToolUseId: ParentToolUseId) => boolean): OutboundDraft[] {
    return this.#placed(this.#blocks.abandon(outlives), undefined);
  }

  #placed(messages: readonly OutboundDraft[], parentToolUseId: ParentToolUseId): OutboundDraft[] {
    return messages.map((message) =>
      this.place(message, parentToolUseId ?? message.parent_tool_use_id),
    );
  }

  #asSummary(message: OutboundDraft): OutboundDraft {
    if (!this.#awaitsSummary || message.type !== "user_text" || message.kind !== "synthetic")
      return message;
    this.#awaitsSummary = false;
    return { ...message, kind: "compact_summary" };
  }

  #rememberCall(message: OutboundDraft, parentToolUseId: ParentToolUseId): void {
    if (message.type !== "tool_use") return;
    const { tool_use_id, tool_name: name, status } = message;
    this.#calls.remember(tool_use_id, { name, parentToolUseId, isOpen: status === "complete" });
  }

  #named(message: OutboundDraft): OutboundDraft {
    if (message.type !== "tool_result" && message.type !== "tool_use_structured") return message;
    const call = this.#calls.get(message.tool_use_id);
    return call === undefined ? message : { ...message, tool_name: call.name };
  }
}

/** The states of a message that Claude will not begin. */
const DROPPED: ReadonlySet<string> = new Set(["cancelled", "discarded", "refused"]);

function isCompacting(event: { readonly subtype: string; readonly status?: unknown }): boolean {
  return event.subtype === "status" && event.status === "compacting";
}
