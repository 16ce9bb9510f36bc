/** The turns that a stand-in bridge streams, with the messages of a real one. Nothing here acts. */
import type { Fields } from "../src/base/json.ts";
import type { OutboundDraft } from "../src/types.ts";
import { markedText } from "./time-mark.ts";

/** The stream of a bridge in answer to one message. */
export type StreamPlan = {
  readonly turns: number;
  /** Pieces of text in each turn, and their length. */
  readonly deltas: number;
  readonly chars: number;
  /** Tool calls with results in each turn. */
  readonly tools: number;
  /** The pieces of text a second; 0: as fast as they are read. */
  readonly perSecond: number;
  /** Paragraphs of words, with or without Markdown. Absent: one endless word. */
  readonly text?: "prose" | "plain";
  /** An edit of a file with this number of lines, in each turn. */
  readonly diffLines?: number;
};

/** The first turn answers a message of the host; Claude begins the others by itself. */
export function* streamedTurns(plan: StreamPlan, messageId: string): Generator<OutboundDraft> {
  for (let turn = 0; turn < plan.turns; turn += 1)
    yield* streamedTurn(plan, turn === 0 ? [messageId] : []);
}

function* streamedTurn(plan: StreamPlan, message_ids: string[]): Generator<OutboundDraft> {
  const turn_id = crypto.randomUUID();
  const turn = { message_ids, trigger: "user" } as const;
  yield { type: "turn_started", turn_id, ...turn };
  for (const message_id of message_ids) {
    yield { type: "message_status", turn_id, message_id, status: "started" };
    yield { type: "user_text", turn_id, message_id, text: "Do it.", kind: "host" };
  }
  yield { type: "session_state", state: "running" };
  const text = yield* streamedText(plan, turn_id);
  for (let tool = 0; tool < plan.tools; tool += 1) yield* usedTool(turn_id, tool, BASH);
  if (plan.diffLines !== undefined) yield* usedTool(turn_id, plan.tools, editOf(plan.diffLines));
  yield cost(turn_id);
  yield { type: "turn_complete", turn_id, ...turn, text, ...success() };
  for (const message_id of message_ids)
    yield { type: "message_status", turn_id, message_id, status: "completed" };
  yield { type: "session_state", state: "idle" };
}

function success() {
  const result = { result: "success", subtype: "success", is_error: false } as const;
  return { ...result, permission_denials: [] };
}

function* streamedText(
  { deltas, chars, text: kind }: StreamPlan,
  turn_id: string,
): Generator<OutboundDraft, string> {
  const block = { turn_id, msg_id: `msg_${turn_id}`, block_index: 0 };
  const pieces: string[] = [];
  for (let count = 0; count < deltas; count += 1) {
    const text = TEXTS[kind ?? "word"](chars, count);
    pieces.push(text);
    yield { type: "assistant_text", ...block, text, is_partial: true, status: "partial" };
  }
  const text = pieces.join("");
  yield { type: "assistant_text", ...block, text, is_partial: false, status: "complete" };
  return text;
}

const TEXTS = {
  word: (chars: number) => markedText(chars),
  prose: (chars: number, count: number) =>
    paragraphText(`${markedText(0)} ${"and some *more* `words` ".repeat(chars)}`, chars, count),
  plain: (chars: number, count: number) =>
    paragraphText("and some more words ".repeat(chars), chars, count),
} as const;

const PIECES_IN_PARAGRAPH = 10;

function paragraphText(words: string, chars: number, count: number): string {
  const text = words.slice(0, chars);
  return count % PIECES_IN_PARAGRAPH === PIECES_IN_PARAGRAPH - 1 ? `${text}.\n\n` : text;
}

type UsedTool = {
  readonly name: string;
  readonly input: Fields;
  readonly output: string;
  readonly structured: Fields;
};

const OUTPUT = "a line of output\n".repeat(20);

const BASH: UsedTool = {
  name: "Bash",
  input: { command: "ls -la", description: "List the files" },
  output: OUTPUT,
  structured: { stdout: OUTPUT },
};

/** An edit that changes every third line. */
function editOf(lines: number): UsedTool {
  const changed = Array.from({ length: lines }, (_, at) => `${"-+ "[at % 3]}line ${at} of many`);
  const whole = Math.ceil((lines * 2) / 3);
  const hunk = { oldStart: 1, oldLines: whole, newStart: 1, newLines: whole, lines: changed };
  const filePath = "/work/long.txt";
  return {
    name: "Edit",
    input: { file_path: filePath, old_string: "line", new_string: "another line" },
    output: "The file has been updated.",
    structured: { filePath, structuredPatch: [hunk], originalFile: null },
  };
}

function* usedTool(
  turn_id: string,
  number: number,
  { name, input, output, structured }: UsedTool,
): Generator<OutboundDraft> {
  const tool = { turn_id, tool_use_id: `toolu_${turn_id}_${number}`, tool_name: name };
  const call = { ...tool, msg_id: `msg_${turn_id}_tools`, block_index: number };
  yield { type: "tool_use", ...call, status: "streaming" };
  yield { type: "tool_use", ...call, status: "complete", input };
  yield { type: "tool_result", ...tool, output, is_error: false };
  yield { type: "tool_use_structured", ...tool, structured_result: structured };
}

function cost(turn_id: string): OutboundDraft {
  return {
    type: "cost_update",
    turn_id,
    total_cost_usd: 0.01,
    turn_cost_usd: 0.01,
    num_turns: 1,
    duration_ms: 1000,
    usage: { input_tokens: 100, output_tokens: 42 },
  };
}
