/**
 * First tier: what one line of Claude's means to the host and to the session. Pure. Deltas are mapped
 * by the second tier (`stream-events.ts`). Protocol reference §3.
 */

import type { StreamEvent } from "../messages/conversation-lines.ts";
import { definedFields, withoutReserved } from "../messages/envelope.ts";
import type { ClaudeMessage, ControlRequest, UnknownLine } from "../protocol-types.ts";
import type { OutboundDraft } from "../types.ts";
import { fromAssistant } from "./assistant-blocks.ts";
import { fromResult, type Spending, type TurnView } from "./results.ts";
import { fromUser } from "./tool-results.ts";

export type SystemMessage = Extract<ClaudeMessage, { type: "system" }>;

/** What one line means. `messages` are for the host, the rest is for the session. */
export type TopLevelRoutingResult = {
  readonly messages: readonly OutboundDraft[];
  /** The turn is over. */
  readonly gotResult: boolean;
  readonly sessionId?: string;
  readonly streamEvent?: StreamEvent;
  readonly controlRequest?: ControlRequest;
  readonly parentToolUseId?: string;
};

/** The state of the session that the meaning of a result depends on. */
export type RoutingContext = {
  readonly turn?: TurnView | undefined;
  readonly spending?: Spending | undefined;
};

const nothing = { messages: [], gotResult: false } as const;

/** Maps one line of Claude's. */
export function routeTopLevelEvent(
  event: ClaudeMessage,
  { turn, spending }: RoutingContext = {},
): TopLevelRoutingResult {
  switch (event.type) {
    case "system": {
      const messages = fromSystem(event);
      return event.subtype === "init"
        ? { ...nothing, messages, sessionId: event.session_id }
        : { ...nothing, messages };
    }
    case "assistant":
      return { ...nothing, ...parentOf(event), messages: fromAssistant(event) };
    case "user":
      return { ...nothing, ...parentOf(event), messages: fromUser(event) };
    case "result":
      return { messages: fromResult(event, turn, spending), gotResult: true };
    case "stream_event":
      return { ...nothing, ...parentOf(event), streamEvent: event.event };
    case "control_request":
      return { ...nothing, controlRequest: event };
    case "notification":
      return { ...nothing, messages: [event.message] };
    case "unknown":
      return { ...nothing, messages: [fromUnknown(event)] };
    case "control_response":
    case "control_cancel_request":
    case "keep_alive":
    case "transcript_mirror":
      return nothing;
  }
}

function parentOf(event: { readonly parent_tool_use_id?: string | null | undefined }) {
  return definedFields({ parentToolUseId: event.parent_tool_use_id ?? undefined });
}

/** A `status` has no message of its own but that of a compaction's end. */
export function fromSystem(event: SystemMessage): OutboundDraft[] {
  switch (event.subtype) {
    case "init": {
      const { type: _type, subtype: _subtype, uuid: _uuid, ...fields } = event;
      return [{ ...withoutReserved(fields), type: "system_metadata" }];
    }
    case "compact_boundary":
      return [{ ...withoutReserved(event.compact_metadata ?? {}), type: "compact_boundary" }];
    case "status":
      return fromCompaction(event);
  }
}

function fromCompaction(status: Extract<SystemMessage, { subtype: "status" }>): OutboundDraft[] {
  const { compact_result: result, compact_error: error } = status;
  if (result === undefined) return [];
  return [definedFields({ type: "compaction_result" as const, result, error })];
}

export function fromUnknown(line: UnknownLine): OutboundDraft {
  return { ...line, type: "unknown_event" };
}
