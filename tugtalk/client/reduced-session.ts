/**
 * The state that `reduceSession` keeps of one session: plain JSON, so that a host can store it and send
 * it as a snapshot. Parts that a message does not change keep their identity (`===`).
 */

import type { OutboundMessage } from "../src/types.ts";
import type { OpenPrompt } from "./prompt-models.ts";
import type { ToolPermission, TranscriptEntry } from "./transcript-models.ts";

type Outbound<Type extends OutboundMessage["type"]> = Extract<OutboundMessage, { type: Type }>;

/**
 * Which messages have been applied. A message is identified by its stream and its `seq` in it: a stream
 * is an `instance_id` of a bridge, or an `epoch` of a host's journal.
 */
export type AppliedMessages = {
  /** The stream of the following messages; absent before the first `protocol_ack`. */
  readonly stream?: string;
  /** The highest applied `seq` of this stream. */
  readonly seq: number;
  /** The highest applied `seq` of every other stream. */
  readonly others: Readonly<Record<string, number>>;
  /**
   * Messages that may be the first ones of the next bridge. They are applied with the `protocol_ack` that names
   * its instance, unless that is a known one.
   */
  readonly unacknowledged: readonly Readonly<Record<string, unknown>>[];
};

/** How a prompt ended, and of which tool call it was. */
export type PromptEnd = ToolPermission & { readonly toolUseId?: string };

/** A user message that has not started. */
export type QueuedMessage = {
  readonly messageId: string;
  /** Known only from a host's events. */
  readonly text?: string;
  /** Milliseconds since 1970, if a host gives it. */
  readonly queuedAt?: number;
  /** The names of the attachments, if a host gives them. */
  readonly files?: readonly string[];
  /** The next message of this kind takes its place in the host's queue. */
  readonly delivery?: "replace";
  /** The host has written it to the bridge, so that it can be neither edited nor withdrawn there. */
  readonly isSent?: boolean;
  /** Milliseconds since 1970, if a host gives it. */
  readonly sentAt?: number;
  /** The host has sent it by itself, after the usage limit: an earlier message again, or to continue. */
  readonly afterLimit?: { readonly again?: string };
};

/** A subagent, background shell or MCP task. */
export type BackgroundTask = {
  readonly taskId: string;
  /** The tool call that started it, with whose id the transcript has its items. */
  readonly toolUseId?: string;
  readonly parentTaskId?: string;
  readonly type?: string;
  readonly subagentType?: string;
  readonly description?: string;
  readonly status: string;
  readonly isBackgrounded?: boolean;
  readonly lastToolName?: string;
  readonly summary?: string;
  readonly totalTokens?: number;
  readonly toolUses?: number;
  readonly durationMs?: number;
};

export type TaskItem = {
  readonly id: string;
  readonly subject: string;
  readonly description?: string | undefined;
  /** Claude's activity while the task is in progress: `Running tests`. */
  readonly activeForm?: string | undefined;
  readonly status: string;
  readonly owner?: string | undefined;
  readonly blockedBy: readonly string[];
};

export type TaskListData = {
  readonly tasks: readonly TaskItem[];
  /** The first task that is in progress. */
  readonly activeTaskId?: string | undefined;
};

export type McpServerStatus = {
  readonly name: string;
  /** `connected`, `pending`, `failed`, `needs-auth`, `disabled`, … */
  readonly status: string;
  /** Names as in Claude's list of tools: `mcp__tide__wait`. */
  readonly tools: readonly string[];
};

/** Costs and tokens since Claude's process started. */
export type SessionCost = {
  /** US dollars of this session, over all of its processes. */
  readonly totalCostUsd: number;
  /** The latest `cost_update`. */
  readonly latest?: Outbound<"cost_update">;
};

export type ReducedSession = {
  readonly applied: AppliedMessages;
  readonly instanceId?: string;
  readonly sessionId?: string;
  readonly title?: string;
  /** `session_state`, or the status that a host gives to a session that it cannot reach. */
  readonly status: Outbound<"session_state">["state"] | "disconnected" | "failed";
  /** Entries before the first one here that a host still has: the cursor of their page. */
  readonly before?: string;
  /** Finished entries, oldest first. */
  readonly entries: readonly TranscriptEntry[];
  /**
   * The newest entries, oldest first: all from the oldest open turn on, and always the newest one. A page
   * shows `entries` and then these.
   */
  readonly openEntries: readonly TranscriptEntry[];
  /** The open prompts, oldest first. */
  readonly prompts: readonly OpenPrompt[];
  /** The ends of the latest prompts, newest last. */
  readonly closedPrompts: readonly PromptEnd[];
  readonly queue: readonly QueuedMessage[];
  /** Messages that Claude will not read, and that nobody has taken back yet, in the order of their return. */
  readonly returned: readonly QueuedMessage[];
  /** The host's queue does not go on until a person sends a message. */
  readonly isQueueHeld: boolean;
  /** The newest name of the model: as it was chosen, or as Claude has reported it since. */
  readonly model?: string | null;
  /** The choice that was made last, such as `opus`, or `default`. */
  readonly chosenModel?: string;
  readonly permissionMode?: string;
  readonly metadata?: Outbound<"system_metadata">;
  readonly capabilities?: Outbound<"session_capabilities">;
  /** The latest response to each control request that describes the session, for example `get_usage`. */
  readonly controlResponses: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The latest output of `/context`, or answer to `get_context_usage`, as data. */
  readonly contextUsage?: Readonly<Record<string, unknown>>;
  /** How full the context was at the latest model call. */
  readonly context?: Outbound<"message_complete">["context"];
  readonly cost: SessionCost;
  readonly taskList: TaskListData;
  readonly mcpServers: readonly McpServerStatus[];
  /** The running tasks, and the tasks that ended last. */
  readonly backgroundTasks: readonly BackgroundTask[];
  /** The latest list of past conversations. */
  readonly pastSessions: Outbound<"session_list_result">["sessions"];
  readonly promptSuggestion?: string;
  /** The goal that Claude pursues by itself, over several turns; null once it is reached. */
  readonly activeGoal?: Outbound<"active_goal">["value"];
  /** The latest state of a plan's rate limits. */
  readonly rateLimit?: Outbound<"rate_limit">["rate_limit_info"];
  /** The number of the latest key that was generated for an entry or an item. */
  readonly lastKey: number;
};
