/** A page of a conversation: its turns, and its lines as the messages of a live session. */
import { isBlockMessage } from "../routing/block-messages.ts";
import { withToolName } from "../routing/tool-results.ts";
import type { OutboundDraft } from "../types.ts";
import type { TranscriptLine } from "./transcript-line.ts";
import type { OrderedLine } from "./transcript-tree.ts";

/** The longest page, in bytes of its transcript: a page is one line for the host. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** Consecutive turns. `before` is the first line where there are earlier turns. */
export type Page = {
  readonly lines: readonly OrderedLine[];
  readonly before?: string;
};

/**
 * The last `limit` turns, or the turns right before the line `before`; undefined if that line is missing.
 * Fewer turns if they are too long for a page. If one turn alone is too long, its last answers.
 */
export function pageOf(
  lines: readonly OrderedLine[],
  limit: number,
  before?: string,
): Page | undefined {
  const end = before === undefined ? lines.length : lines.findIndex(({ uuid }) => uuid === before);
  if (end === -1) return undefined;
  const start = startOf(lines.slice(0, end), limit);
  const first = lines[start];
  if (start === 0 || first === undefined) return { lines: lines.slice(0, end) };
  return { lines: lines.slice(start, end), before: first.uuid };
}

/** All lines in pages as long as may be, the oldest first. */
export function pagesOf(lines: readonly OrderedLine[]): (readonly OrderedLine[])[] {
  const pages: (readonly OrderedLine[])[] = [];
  for (let end = lines.length; end > 0; ) {
    const start = startOf(lines.slice(0, end), Infinity);
    pages.push(lines.slice(start, end));
    end = start;
  }
  return pages.reverse();
}

function startOf(lines: readonly OrderedLine[], limit: number): number {
  // Lines before the first prompt belong to its turn.
  const firstPrompt = lines.findIndex(({ isUserPrompt }) => isUserPrompt);
  const starts = { turn: 0, answer: 0 };
  let bytes = 0;
  for (let at = lines.length - 1, turns = 0; at >= 0; at -= 1) {
    const line = lines[at];
    bytes += line?.bytes ?? 0;
    const start = starts.turn || starts.answer;
    if (bytes > MAX_PAGE_BYTES && start > 0) return start;
    if (line?.isUserPrompt === true && at > firstPrompt) {
      starts.turn = at;
      turns += 1;
      if (turns === limit) return at;
    } else if (line?.opensMessage === true) starts.answer = at;
  }
  return 0;
}

/** The messages of some lines. The messages of a subagent follow the tool call that started it. */
export function buildMessages(
  lines: readonly TranscriptLine[],
  subagents: ReadonlyMap<string, readonly OutboundDraft[]>,
): OutboundDraft[] {
  const names = new Map<string, string>();
  const blocks = new Map<string, number>();
  const ends = endsOf(lines);
  return lines.flatMap(({ messages }) =>
    messages.flatMap((message) => {
      if (message.type === "message_complete" && ends.get(message.msg_id) !== message) return [];
      if (message.type === "tool_use") names.set(message.tool_use_id, message.tool_name);
      const complete = withToolName(numbered(message, blocks), (id) => names.get(id));
      const inner = complete.type === "tool_use" ? (subagents.get(complete.tool_use_id) ?? []) : [];
      return [complete, ...inner];
    }),
  );
}

/** The end of each message: all of its lines have the stop reason, and the last one counts. */
function endsOf(lines: readonly TranscriptLine[]): ReadonlyMap<string, OutboundDraft> {
  const ends = new Map<string, OutboundDraft>();
  for (const message of lines.flatMap(({ messages }) => messages))
    if (message.type === "message_complete") ends.set(message.msg_id, message);
  return ends;
}

/** A transcript has each block on a line of its own, without an index. */
function numbered(message: OutboundDraft, blocks: Map<string, number>): OutboundDraft {
  if (!isBlockMessage(message)) return message;
  const block_index = blocks.get(message.msg_id) ?? 0;
  blocks.set(message.msg_id, block_index + 1);
  return { ...message, block_index };
}
