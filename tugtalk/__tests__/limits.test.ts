/** The numbers of the page about limits, and of the flags, against the sources. */
import { expect, test } from "bun:test";
import { MAX_LINE_BYTES } from "../src/base/lines.ts";
import { MAX_CHANNELS } from "../src/edge/arguments.ts";
import { document, referencePage } from "./support/markdown.ts";

/** By the row that begins with this text: the number there, and the file of `src` that has it so. */
const LIMITS: readonly (readonly [row: string, limit: string, file: string, source: RegExp])[] = [
  ["a line, on either side", "--max-line-bytes", "edge/arguments.ts", /MAX_LINE_BYTES/],
  ["messages that Claude", "64 Mi", "session/message-queue.ts", /CHARACTERS = 64 \* 1024 \* 1024/],
  ["messages in one turn", "1,024", "conversation/turns.ts", /MAX_IN_FLIGHT = 1024/],
  ["remembered message ids", "65,536", "session/message-queue.ts", /REMEMBERED_IDS = 65_536/],
  [
    "pending requests to Claude",
    "256, interrupts 512",
    "session/host-requests.ts",
    /MAX_OPEN_REQUESTS = 256;[\s\S]*isInterrupt \? 2 \* MAX_OPEN_REQUESTS/,
  ],
  ["input that Claude", "64 Mi", "claude/claude-requests.ts", /CHARS = MAX_LINE_BYTES/],
  ["pending starts", "16", "session/lifecycle.ts", /MAX_OPEN_CHANGES = 16/],
  [
    "pending requests about past",
    "64",
    "history/history-requests.ts",
    /MAX_HISTORY_REQUESTS = 64;/,
  ],
  [
    "lines of a conversation in",
    "1 MiB",
    "history/appended-lines.ts",
    /BATCH_BYTES = 1024 \* 1024/,
  ],
  [
    "a line of a conversation",
    "30 MiB",
    "history/appended-lines.ts",
    /MAX_MIRRORED_LINE = 30 \* 1024 \* 1024/,
  ],
  ["conversations of one", "newest 16", "history/transcript-mirror.ts", /MAX_CONVERSATIONS = 16/],
  [
    "lines of `transcript_restore`",
    "64 Mi",
    "history/history-requests.ts",
    /MAX_RESTORED_CHARS = 64 \* 1024 \* 1024/,
  ],
  ["lines of the host behind", "8 Mi", "edge/held-lines.ts", /MAX_HELD_CHARS = 8 \* 1024 \* 1024/],
  ["open prompts", "256", "permissions.ts", /MAX_OPEN_PROMPTS = 256/],
  ["open calls of tools", "1,024", "run/program-requests.ts", /MAX_OPEN_REQUESTS = 1024/],
  ["remembered settled", "newest 1,024", "permissions.ts", /REMEMBERED_PROMPTS = 1024/],
  ["open turns", "64", "conversation/turns.ts", /MAX_OPEN_TURNS = 64/],
  ["kept text", "16 Mi", "conversation/streamed-text.ts", /MAX_KEPT_TEXT = 16 \* 1024 \* 1024/],
  ["open blocks", "256", "conversation/message-blocks.ts", /MAX_OPEN_BLOCKS = 256/],
  ["remembered tool calls", "4,096 and", "conversation/tool-calls.ts", /KEPT_CALLS = 4096/],
  ["remembered tool calls", "and 1,024", "conversation/tasks.ts", /KEPT_TASKS = 1024/],
  ["answers that the host", "8 Mi", "edge/host-lines.ts", /MAX_UNREAD_ANSWERS = 8 \* 1024 \* 1024/],
  ["unread log", "64 Ki", "edge/log.ts", /MAX_BUFFERED_CHARS = 64 \* 1024/],
  ["folders added", "newest 256", "claude/live-settings.ts", /addedDirs.*\(MAX_DIRS\)/],
  ["folders of `add_dirs`", "newest 256", "claude/live-settings.ts", /MAX_DIRS = 256/],
  ["names set by", "newest 256", "claude/live-settings.ts", /MAX_FLAG_SETTINGS = 256/],
];

const ROWS = referencePage("limits")
  .split("\n")
  .filter((line) => /^\| [^-]/.test(line))
  .slice(1);

test("each limit of the wire is documented with the number that it has in the sources", () => {
  const wrong = LIMITS.filter(([row, limit, file, source]) => {
    const [, , documented = ""] =
      ROWS.find((line) => line.startsWith(`| ${row}`))?.split("|") ?? [];
    return !documented.includes(limit) || !source.test(document(`tugtalk/src/${file}`));
  });
  expect(wrong).toEqual([]);
  const isKnown = (line: string) => LIMITS.some(([row]) => line.startsWith(`| ${row}`));
  expect(ROWS.filter((line) => !isKnown(line))).toEqual([]);
});

test("the flags that have a number as their default are documented with that number", () => {
  const rows = referencePage("command-line").split("\n");
  const rowOf = (flag: string) => rows.find((line) => line.startsWith(`| \`${flag} `));
  expect(rowOf("--max-line-bytes")).toContain(`| ${MAX_LINE_BYTES} (64 MiB) |`);
  expect(rowOf("--max-channels")).toContain(`| ${MAX_CHANNELS} |`);
});
