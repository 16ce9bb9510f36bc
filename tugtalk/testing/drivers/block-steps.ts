/** Streams and snapshots as steps, and their messages in a short form. Made up in the shape of real ones. */

import { blockDelta } from "../../simulator/stream-events.ts";
import type { Fields } from "../../src/base/json.ts";
import { Blocks } from "../../src/conversation/blocks.ts";
import type { BlockMessage } from "../../src/routing/block-messages.ts";
import type { ParentToolUseId } from "../../src/routing/parent-tool-use-id.ts";
import { routeTopLevelEvent } from "../../src/routing/router.ts";
import { parsedAs } from "../captures/captured-line.ts";
import { assistantLine, eventLine } from "./test-lines.ts";

/** An event of the stream, a whole block of a message, or the end of everything. */
export type Step = Fields | readonly [msgId: string, block: Fields] | "abandon";

const isSnapshot = (step: Step): step is readonly [string, Fields] => Array.isArray(step);

/** The blocks of one agent, and a function that runs steps. */
export function blocksIn(parentToolUseId?: ParentToolUseId, blocks = new Blocks()) {
  const take = (step: Step) => {
    if (step === "abandon") return blocks.abandon();
    if (!isSnapshot(step))
      return blocks.stream(parsedAs("stream_event", eventLine(step)).event, parentToolUseId);
    const line = assistantLine(...step, { parent_tool_use_id: parentToolUseId ?? null });
    const messages = routeTopLevelEvent(parsedAs("assistant", line));
    return messages.flatMap((message) => blocks.confirm(message as BlockMessage));
  };
  return { blocks, run: (steps: readonly Step[]) => steps.flatMap(take).map(inShort) };
}

/** `msg/0 partial "text"`; for a tool call its name instead of the text; `msg end_turn` for the end. */
export function inShort(message: object): string {
  const { msg_id, block_index, status, text, tool_name, partial_json, stop_reason } =
    message as Fields;
  if (partial_json !== undefined) return `delta ${partial_json}`;
  if (stop_reason !== undefined) return `${msg_id} ${stop_reason}`;
  const what = tool_name ?? (text === undefined ? "" : JSON.stringify(text));
  return `${msg_id}/${block_index} ${status} ${what}`.trim();
}

export const thinking = (text: string) => ({ type: "thinking", thinking: text });
export const toolDelta = (index: number, partial_json: string) =>
  blockDelta(index, { type: "input_json_delta", partial_json });
