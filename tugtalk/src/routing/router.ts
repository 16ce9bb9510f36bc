/**
 * First tier: the messages to the host for one line of Claude's. Pure. Deltas are mapped
 * by the second tier (`stream-events.ts`). Protocol reference §3.
 */

import { definedFields, withoutReserved } from "../messages/envelope.ts";
import type { ClaudeMessage, UnknownLine } from "../protocol-types.ts";
import type { OutboundDraft } from "../types.ts";
import { fromAssistant } from "./assistant-blocks.ts";
import { fromResult } from "./results.ts";
import { fromUser } from "./tool-results.ts";

export type SystemMessage = Extract<ClaudeMessage, { type: "system" }>;

/** The messages that one line of Claude's means. A stream event and a control message have none here. */
export function routeTopLevelEvent(event: ClaudeMessage): readonly OutboundDraft[] {
  switch (event.type) {
    case "system":
      return fromSystem(event);
    case "assistant":
      return fromAssistant(event);
    case "user":
      return fromUser(event);
    case "result":
      return fromResult(event);
    case "notification":
      return [event.message];
    case "unknown":
      return [fromUnknown(event)];
    case "stream_event":
    case "control_request":
    case "control_response":
    case "control_cancel_request":
    case "keep_alive":
    case "transcript_mirror":
      return [];
  }
}

/** A `status` has no message of its own, but for the end of a compaction. */
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
