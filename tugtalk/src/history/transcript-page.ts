/** A page of a conversation: its turns, and its lines as the messages of a live session. */

import type { OutboundDraft } from "../types.ts";
import type { TranscriptLine } from "./transcript-line.ts";
import type { OrderedLine } from "./transcript-order.ts";

/** The most that a page may take of a transcript, in bytes: a page is one line for the host. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** What a page needs to know of a line: how long it is. */
type Sized = { readonly bytes: number };

/** Some turns in a row. `before` names the first line where there are earlier ones. */
export type Page<Kept> = {
  readonly lines: readonly OrderedLine<Kept>[];
  readonly before?: string;
};

/**
 * The last `limit` turns, or those that come right before the line `before`; nothing if it is not
 * there. Fewer where they are too long for a page; of a turn that alone is too long, its last answers.
 */
export function pageOf<Kept extends Sized>(
  lines: readonly OrderedLine<Kept>[],
  limit: number,
  before?: string,
): Page<Kept> | undefined {
  const end = before === undefined ? lines.length : lines.findIndex(({ uuid }) => uuid === before);
  if (end === -1) return undefined;
  const start = startOf(lines.slice(0, end), limit);
  const first = lines[start];
  if (start === 0 || first === undefined) return { lines: lines.slice(0, end) };
  return { lines: lines.slice(start, end), before: first.uuid };
}

function startOf<Kept extends Sized>(lines: readonly OrderedLine<Kept>[], limit: number): number {
  // What precedes the first thing that was said belongs to its turn.
  const firstSaid = lines.findIndex(({ isUserPrompt }) => isUserPrompt);
  const starts = { turn: 0, answer: 0 };
  let bytes = 0;
  for (let at = lines.length - 1, turns = 0; at >= 0; at -= 1) {
    const line = lines[at];
    bytes += line?.kept.bytes ?? 0;
    const start = starts.turn || starts.answer;
    if (bytes > MAX_PAGE_BYTES && start > 0) return start;
    if (line?.isUserPrompt === true && at > firstSaid) {
      starts.turn = at;
      turns += 1;
      if (turns === limit) return at;
    } else if (line?.opensMessage === true) starts.answer = at;
  }
  return 0;
}

/** The messages of some lines; those of a subagent, by its tool call, come right after the call. */
export function buildMessages(
  lines: readonly TranscriptLine[],
  subagents: ReadonlyMap<string, readonly OutboundDraft[]>,
): OutboundDraft[] {
  const names = new Map<string, string>();
  const blocks = new Map<string, number>();
  return lines.flatMap(({ messages }) =>
    messages.flatMap((message) => {
      const placed = named(numbered(message, blocks), names);
      const inner = placed.type === "tool_use" ? (subagents.get(placed.tool_use_id) ?? []) : [];
      return [placed, ...inner];
    }),
  );
}

/** A transcript has each block of a message on a line of its own, without its index. */
function numbered(message: OutboundDraft, blocks: Map<string, number>): OutboundDraft {
  if (
    message.type !== "assistant_text" &&
    message.type !== "thinking_text" &&
    message.type !== "tool_use"
  )
    return message;
  const block_index = blocks.get(message.msg_id) ?? 0;
  blocks.set(message.msg_id, block_index + 1);
  return { ...message, block_index };
}

function named(message: OutboundDraft, names: Map<string, string>): OutboundDraft {
  if (message.type === "tool_use") names.set(message.tool_use_id, message.tool_name);
  if (message.type !== "tool_result" && message.type !== "tool_use_structured") return message;
  const tool_name = names.get(message.tool_use_id);
  return tool_name === undefined ? message : { ...message, tool_name };
}

/** The subagents that results tell of: the id of each by its tool call. */
export function subagentsOf(lines: readonly TranscriptLine[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const message of lines.flatMap(({ messages }) => messages)) {
    if (message.type !== "tool_use_structured") continue;
    const { structured_result: result } = message;
    if (typeof result !== "object" || result === null || !("agentId" in result)) continue;
    if (typeof result.agentId === "string") found.set(message.tool_use_id, result.agentId);
  }
  return found;
}
