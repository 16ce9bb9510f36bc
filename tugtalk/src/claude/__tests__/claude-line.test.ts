/** The lines that tests make up have only keys of recorded lines. */
import { expect, test } from "bun:test";
import {
  blockStop,
  messageEnd,
  messageStart,
  textBlock,
  textDelta,
  textStart,
  toolBlock,
} from "../../../simulator/stream-events.ts";
import { captured } from "../../../testing/captures/captured-line.ts";
import {
  assistantLine,
  echoLine,
  eventLine,
  interruptedLine,
  promptLine,
  questionLine,
  toolResultLine,
} from "../../../testing/drivers/test-lines.ts";
import { parseClaudeMessage } from "../claude-line.ts";

type Line = Readonly<Record<string, unknown>>;

const [messageDelta = {}, messageStop = {}] = messageEnd;

/** A made-up line, and recorded lines of the same type. */
const ROWS: readonly (readonly [name: string, made: Line, ...recorded: string[]])[] = [
  ["message_start", eventLine(messageStart("m")), "message_start"],
  ["content_block_start", eventLine(textStart()), "text start"],
  ["content_block_delta", eventLine(textDelta("a")), "text delta"],
  ["content_block_stop", eventLine(blockStop()), "content_block_stop"],
  ["message_delta", eventLine(messageDelta), "message_delta"],
  ["message_stop", eventLine(messageStop), "message_stop"],
  ["assistant with text", assistantLine("m", textBlock("a")), "assistant text 330"],
  ["assistant with a call", assistantLine("m", toolBlock("t", "Edit")), "assistant tool_use"],
  ["an echo", echoLine("u", "a"), "replay"],
  ["a tool result", toolResultLine("t", "done"), "edit result"],
  ["a prompt", promptLine("r"), "can_use_tool 330"],
  ["a question", questionLine("r"), "question 330", "can_use_tool 330"],
  ["an interrupted result", interruptedLine(), "result interrupted 330"],
];

/** The paths of all keys. All items of an array have one path, and the input of a tool is left out. */
function keysOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => keysOf(item, `${path}[]`));
  if (typeof value !== "object" || value === null || /\.input$/.test(path)) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    `${path}.${key}`,
    ...keysOf(item, `${path}.${key}`),
  ]);
}

test.each([...ROWS])(
  "a made-up line of %s has only keys of the recorded line",
  (_name, made, ...recorded) => {
    const lines = recorded.map((name) => captured(name));
    const real = new Set(lines.flatMap((line) => keysOf(line)));
    expect([...new Set(keysOf(made))].filter((key) => !real.has(key))).toEqual([]);
    for (const line of lines)
      expect(parseClaudeMessage(made).type).toBe(parseClaudeMessage(line).type);
  },
);
