/** What a terminal shows of each message. */
import { expect, test } from "bun:test";
import { isPrompt } from "../../../client/answers.ts";
import { OutboundMessage } from "../../../src/types.ts";
import { cleanText, cutLines, cutText, paintText } from "../comfort/terminal-text.ts";
import { newView, showLines, showMessage, unfinishedRow } from "../message-view.ts";
import { newPrompt } from "../prompt.ts";

type Fields = Readonly<Record<string, unknown>>;

const block = { type: "assistant_text", msg_id: "m", block_index: 0, is_partial: false };
const partial = { ...block, is_partial: true, status: "partial" };
const whole = { ...block, status: "complete" };
const thinking = { ...partial, type: "thinking_text", block_index: 1 };
const turn = { turn_id: "t", message_ids: [], trigger: "user" };
const ended = { type: "turn_complete", ...turn, permission_denials: [], is_error: false };
const begun = { type: "turn_started", ...turn };
/** From the captures 2.1.330/api_400.jsonl and 2.1.330/hook_prompt_block.jsonl. */
const API_400 = "API Error: 400 bad thing";
const BLOCKED =
  "UserPromptSubmit operation blocked by hook:\n[echo prompt-blocked >&2; exit 2]: prompt-blocked\n\n\nOriginal prompt: go";
const apiError = {
  ...ended,
  result: "error",
  subtype: "success",
  is_error: true,
  api_error_status: 400,
};
const exit = { type: "process_exit", pid: 1, signal: null, stderr_tail: "", expected: false };
const hunk = {
  oldStart: 3,
  oldLines: 2,
  newStart: 3,
  newLines: 1,
  lines: [" a", "-b", "+c", "?d"],
};
const tool = { type: "tool_use", msg_id: "m", block_index: 2, tool_use_id: "u", tool_name: "Bash" };
const result = { type: "tool_result", tool_use_id: "u", is_error: false };
const retry = { type: "api_retry", attempt: 2, max_retries: 10, retry_delay_ms: 1500 };

/** What is printed of the messages, and of a row that is not finished. */
function show(messages: readonly Fields[], hasColors = false, width?: number): string {
  let view = newView(hasColors, width);
  let text = "";
  for (const fields of messages) {
    const shown = showMessage(OutboundMessage.parse({ ipc_version: 2, seq: 1, ...fields }), view);
    text += shown.text;
    view = shown.view;
  }
  return text + unfinishedRow(view);
}

const rows: readonly (readonly [sentence: string, messages: readonly Fields[], text: string])[] = [
  [
    "a streamed block is shown once",
    [
      { ...partial, text: "Hello, " },
      { ...partial, text: "you." },
      { ...whole, text: "Hello, you." },
    ],
    "Hello, you.\n",
  ],
  ["an unstreamed block is shown when it is complete", [{ ...whole, text: "Hi" }], "Hi\n"],
  ["an empty block shows nothing", [{ ...whole, type: "thinking_text", text: "" }], ""],
  [
    "an abandoned block says that it was cut off",
    [
      { ...partial, text: "Hel" },
      { ...block, status: "abandoned" },
      { ...whole, text: "Hi" },
    ],
    "Hel\n(cut off)\nHi\n",
  ],
  [
    "an abandoned block of which nothing was shown is silent",
    [{ ...block, status: "abandoned" }],
    "",
  ],
  [
    "thinking says that it is thinking",
    [
      { ...thinking, text: "Hm" },
      { ...thinking, text: "m." },
      { ...partial, text: "So" },
    ],
    "thinking: Hmm.\nSo",
  ],
  [
    "redacted thinking has no text",
    [{ ...whole, type: "thinking_text", redacted: true }],
    "thinking: (not shown by Claude)\n",
  ],
  [
    "blocks of the main conversation and of a subagent do not mix",
    [
      { ...partial, text: "a" },
      { ...partial, text: "b", parent_tool_use_id: "p" },
    ],
    "a\n  b",
  ],
  [
    "a subagent is indented, line for line",
    [{ ...whole, text: "one\ntwo", parent_tool_use_id: "p" }],
    "  one\n  two\n",
  ],
  [
    "a message in the middle of a block starts on its own line",
    [
      { ...partial, text: "wai" },
      { ...result, output: "x" },
      { ...partial, text: "ting" },
    ],
    "wai\n  | x\nting",
  ],
  ["a tool whose input still streams shows nothing", [{ ...tool, status: "streaming" }], ""],
  [
    "a tool shows its input on one line",
    [{ ...tool, status: "complete", input: { command: "ls\ncd", timeout: 5 } }],
    '* Bash(command: "ls\\ncd", timeout: 5)\n',
  ],
  [
    "a long input is cut",
    [{ ...tool, status: "complete", input: { command: "x".repeat(500) } }],
    `* Bash(command: "${"x".repeat(150)}…)\n`,
  ],
  [
    "a long result is cut",
    [{ ...result, output: `${"line\n".repeat(10)}` }],
    `${"  | line\n".repeat(8)}  | … 2 more lines\n`,
  ],
  ["a result without text says so", [{ ...result, output: "" }], "  | (no output)\n"],
  [
    "an edit is shown as a diff",
    [
      {
        type: "tool_use_structured",
        tool_use_id: "u",
        structured_result: { structuredPatch: [hunk] },
      },
    ],
    "  @@ -3 +3 @@\n   a\n  -b\n  +c\n  ?d\n",
  ],
  [
    "a structured result that is no edit shows nothing",
    [
      {
        type: "tool_use_structured",
        tool_use_id: "u",
        structured_result: { structuredPatch: "?" },
      },
    ],
    "",
  ],
  [
    "cost is shown for the turn and in total",
    [{ type: "cost_update", turn_cost_usd: 0.0123, total_cost_usd: 1.5 }],
    "cost: $0.0123 this turn, $1.5000 in total\n",
  ],
  [
    "a cost of nothing is a cost",
    [{ type: "cost_update", turn_cost_usd: 0, total_cost_usd: 0 }],
    "cost: $0.0000 this turn, $0.0000 in total\n",
  ],
  ["no cost is no line", [{ type: "cost_update" }], ""],
  ["a turn that succeeds says nothing", [{ ...ended, result: "success", subtype: "success" }], ""],
  [
    "a turn that fails says why",
    [{ ...ended, result: "error", subtype: "error_max_turns", errors: ["too many turns"] }],
    "turn failed: too many turns\n",
  ],
  [
    "a turn that fails without a reason names its kind",
    [{ ...ended, result: "error", subtype: "error_max_turns", errors: [] }],
    "turn failed: error_max_turns\n",
  ],
  [
    "an error of the API is named once, where its text was shown",
    [
      { ...whole, is_error: true, text: API_400 },
      { ...apiError, text: API_400 },
    ],
    `${API_400}\nturn failed: the API answered 400\n`,
  ],
  [
    "an error of the API whose text was not shown says what happened",
    [{ ...apiError, text: API_400 }],
    `turn failed: ${API_400}\n`,
  ],
  [
    "an error of the API without any text has its status",
    [apiError],
    "turn failed: the API answered 400\n",
  ],
  [
    "a message that a hook blocks is shown with its reason, once",
    [
      begun,
      { type: "informational", level: "warning", prevent_continuation: true, content: BLOCKED },
      { ...ended, result: "success", subtype: "success", text: BLOCKED },
    ],
    `${BLOCKED}\n`,
  ],
  [
    "a turn that shows nothing has its result's text",
    [begun, { ...ended, result: "success", subtype: "success", text: "Done." }],
    "Done.\n",
  ],
  [
    "a turn that shows nothing and has no text says so",
    [
      begun,
      { type: "cost_update", total_cost_usd: 0 },
      { ...ended, result: "success", subtype: "success", text: "" },
    ],
    "cost: $0.0000 in total\n(the turn ended without an answer; a hook may have blocked it)\n",
  ],
  [
    "a message that was taken back says why",
    [{ type: "message_status", message_id: "m", status: "cancelled", reason: "shutdown" }],
    "(a message of yours was not sent to Claude: shutdown)\n",
  ],
  [
    "an interrupted turn says so",
    [{ ...ended, result: "cancelled", subtype: "success" }],
    "(interrupted)\n",
  ],
  [
    "a turn without a result names the reason",
    [{ type: "turn_cancelled", ...turn, partial_result: "", reason: "exited" }],
    "turn ended: exited\n",
  ],
  [
    "an error has its code",
    [{ type: "error", code: "queue_full", message: "full", recoverable: true, source: "host" }],
    "error queue_full: full\n",
  ],
  [
    "a retry says when it comes and which one it is",
    [{ ...retry, error_status: 429, error: "rate_limit" }],
    "(rate_limit: trying again in 1.5 s, 2 of 10)\n",
  ],
  [
    "an expected exit is silent",
    [{ ...exit, expected: true, exit_code: 1, will_restart: false }],
    "",
  ],
  [
    "an unexpected exit has Claude's last words",
    [{ ...exit, exit_code: 3, will_restart: true, stderr_tail: "out of memory\n" }],
    "Claude ended by itself (exit code 3); it will be started again\nout of memory\n",
  ],
  [
    "our own message is not repeated",
    [{ type: "user_text", kind: "host", text: "hello", message_id: "m" }],
    "",
  ],
  [
    "what a local command prints is shown",
    [{ type: "user_text", kind: "command_output", text: "Total cost: 0" }],
    "Total cost: 0\n",
  ],
  ["an idle session is silent", [{ type: "session_state", state: "idle" }], ""],
  ["a compaction is shown", [{ type: "session_state", state: "compacting" }], "(compacting)\n"],
  [
    "a kind of message that is unknown shows nothing",
    [{ type: "unknown_event", original_type: "new", raw: {} }],
    "",
  ],
];

for (const [sentence, messages, text] of rows) {
  test(sentence, () => expect(show(messages)).toBe(text));
}

test("a block is shown the same however it is cut into partials", () => {
  const text = "Äh,\n\tone\n\ntwo 😀.";
  const subagent = { parent_tool_use_id: "p" };
  const expected = show([{ ...whole, ...subagent, text }]);
  for (let cut = 0; cut <= text.length; cut += 1) {
    const parts = [text.slice(0, cut), text.slice(cut)];
    const messages = parts.map((part) => ({ ...partial, ...subagent, text: part }));
    expect(show([...messages, { ...whole, ...subagent, text }])).toBe(expected);
  }
});

test("colours tell thinking, errors and diffs apart", () => {
  expect(show([{ ...thinking, text: "Hm" }], true)).toBe("\u001b[2mthinking: Hm\u001b[0m");
  const failed = { ...result, is_error: true, output: "no" };
  expect(show([failed], true)).toContain("\u001b[31m  | no\u001b[0m");
  const edit = { type: "tool_use_structured", tool_use_id: "u" };
  const shown = show([{ ...edit, structured_result: { structuredPatch: [hunk] } }], true);
  expect(shown).toContain("\u001b[32m  +c\u001b[0m");
  expect(shown).toContain("\u001b[31m  -b\u001b[0m");
});

test("prose is wrapped at words, and code is left whole", () => {
  const text = "one two three four\n```\nlong line of code\n```\n- five six seven eight";
  const rows = Bun.stripANSI(show([{ ...whole, text }], true, 12));
  expect(rows).toBe(
    "one two\nthree four\n```\nlong line of code\n```\n- five six\n  seven\n  eight\n",
  );
});

test("of all control characters only newline and tab are left", () => {
  const all = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join("");
  const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
  expect(cleanText(all)).toBe(`\t\n${printable.join("")}`);
  expect(cleanText("ab\u202e\u2066cd\u200f")).toBe("abcd");
});

test("no text of Claude's brings a control character to the terminal", () => {
  const evil = "\u001b]0;title\u0007\u001b[2J\u009b1m\r\b";
  const request = { type: "control_request_forward", request_id: "r", tool_name: evil };
  const question = { question: evil, header: evil, options: [{ label: evil, description: evil }] };
  const requests = [
    { ...request, is_question: false, input: { [evil]: evil, other: [evil] } },
    { ...request, is_question: true, input: { questions: [question] } },
    { type: "elicitation_request", request_id: "r", mcp_server_name: evil, message: evil },
    { type: "dialog_request", request_id: "r", dialog_kind: evil, payload: { [evil]: evil } },
  ];
  const messages = [
    { ...partial, text: evil },
    { ...whole, block_index: 3, text: evil },
    { ...thinking, text: evil },
    { ...tool, tool_name: evil, input: { [evil]: evil }, status: "complete" },
    { ...result, output: evil },
    { ...ended, result: "error", subtype: evil, errors: [evil] },
    { ...exit, exit_code: 1, will_restart: false, stderr_tail: evil },
    { type: "error", code: "internal", message: evil, recoverable: true, source: "claude" },
    { type: "notification", key: evil, text: evil, priority: evil },
  ];
  const prompts = requests.map((fields) => {
    const message = OutboundMessage.parse({ ipc_version: 2, seq: 1, ...fields });
    if (!isPrompt(message)) throw new Error("no prompt");
    return showLines(newPrompt(message).lines, newView(false)).text;
  });
  const shown = show(messages) + prompts.join("");
  expect(shown).toBe(cleanText(shown));
  expect(shown).toContain("]0;title");
});

test("an empty line gets no colour codes", () => {
  expect(paintText("a\n\nb", "error", true)).toBe("\u001b[31ma\u001b[0m\n\n\u001b[31mb\u001b[0m");
});

test("a cut says how much is missing", () => {
  expect(cutText("abc", 3)).toBe("abc");
  expect(cutText("abcd", 3)).toBe("abc…");
  expect(cutLines("a\nb\nc\n", 2, 10)).toBe("a\nb\n… 1 more line");
  expect(cutLines("a\nb\n", 2, 10)).toBe("a\nb");
});
