/**
 * Invalid host lines, each with the error that answers it. Lines about fields are made from one complete
 * example for each type: a key is removed or has a value of another kind.
 */
import type { Fields } from "../../src/base/json.ts";
import { SessionOptions } from "../../src/messages/options.ts";
import { InboundMessage } from "../../src/types.ts";

/** One line, without its LF, and its answer. */
export type BadLine = {
  readonly name: string;
  readonly line: string | Uint8Array;
  readonly code: string;
  /** The `in_reply_to` of the error, where the line has a readable `id`. */
  readonly reply?: string | undefined;
};

const ID = "11111111-2222-4333-8444-555555555555";

/** Each type that a host may send, with every field that it may have. */
export const EXAMPLES: readonly Fields[] = [
  {
    type: "protocol_init",
    version: 2,
    session: { mode: "new" },
    model: "opus",
    permission_mode: "plan",
    options: {},
  },
  { type: "user_message", text: "x", attachments: [], message_id: ID, delivery: "queue" },
  {
    type: "tool_approval",
    request_id: "never asked",
    decision: "deny",
    updatedInput: {},
    updatedPermissions: [],
    message: "no",
    interrupt: false,
  },
  {
    type: "question_answer",
    request_id: "never asked",
    answers: {},
    annotations: {},
    response: "no",
  },
  { type: "interrupt", cancel_queued: false },
  { type: "permission_mode", mode: "plan" },
  { type: "model_change", model: null },
  { type: "session_command", command: "new", session_id: ID },
  { type: "stop_task", task_id: "t" },
  { type: "cancel_message", message_id: ID },
  { type: "control", subtype: "mcp_toggle", serverName: "s", enabled: true },
  { type: "elicitation_answer", request_id: "never asked", action: "accept", content: {} },
  { type: "dialog_answer", request_id: "never asked", behavior: "completed", result: 1 },
  {
    type: "host_tools",
    tools: [
      {
        name: "level",
        description: "d",
        input_schema: { type: "object" },
        annotations: { readOnlyHint: true },
        permission: "ask",
        timeout_ms: 1,
        deferred: true,
      },
    ],
  },
  { type: "host_tool_answer", request_id: "never asked", content: [], is_error: true },
  {
    type: "hook_answer",
    request_id: "never asked",
    decision: "deny",
    reason: "no",
    updatedInput: {},
    context: "c",
    stop: "s",
  },
  { type: "session_list", limit: 1, before: `0_${ID}` },
  { type: "session_history", session_id: ID, limit: 1, before: ID },
  {
    type: "transcript_restore",
    session_id: ID,
    part: 2,
    more: true,
    claude_version: "2.1.38",
    files: [{ file: `${ID}.jsonl`, offset: 0, lines: ["{}"] }],
  },
  { type: "shutdown", drain: false },
];

/** A value of each kind that JSON has. */
const KINDS: readonly unknown[] = [null, true, 7.5, "a word", ["a word"], { a: 1 }];

const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

const NOT_MESSAGES: readonly BadLine[] = [
  { name: "no JSON", line: "hello", code: "bad_json" },
  { name: "half an object", line: '{"type":"interrupt"', code: "bad_json" },
  { name: "two objects", line: '{"type":"interrupt"} {}', code: "bad_json" },
  { name: "a byte order mark and no JSON", line: "\uFEFF{", code: "bad_json" },
  { name: "a NUL", line: '{"type":"user_message","text":"\0"}', code: "bad_json" },
  { name: "only a NUL", line: "\0", code: "bad_json" },
  { name: "NaN", line: "NaN", code: "bad_json" },
  {
    name: "invalid UTF-8",
    line: Buffer.concat([
      Buffer.from('{"type":"user_message","text":"'),
      Uint8Array.of(0xc3, 0x28),
      Buffer.from('"}'),
    ]),
    code: "bad_json",
  },
  {
    name: "a surrogate in UTF-8",
    line: Buffer.concat([
      Buffer.from('{"type":"user_message","text":"'),
      Uint8Array.of(0xed, 0xa0, 0x80),
      Buffer.from('"}'),
    ]),
    code: "bad_json",
  },
  { name: "nesting without end", line: "[".repeat(60_000), code: "bad_json" },
  { name: "null", line: "null", code: "bad_message" },
  { name: "an array", line: '[{"type":"interrupt"}]', code: "bad_message" },
  { name: "a deep array", line: deep(300), code: "bad_message" },
  { name: "a number", line: "7", code: "bad_message" },
  { name: "a string", line: '"interrupt"', code: "bad_message" },
  { name: "true", line: "true", code: "bad_message" },
  { name: "no type", line: '{"id":"r"}', code: "bad_message", reply: "r" },
  { name: "an empty object", line: "{}", code: "bad_message" },
  ...["", "nonsense", "toString", "__proto__", "Interrupt", "user", "control_request"].map(
    (type) => ({
      name: `the type ${JSON.stringify(type)}`,
      line: JSON.stringify({ type, id: "r" }),
      code: "unknown_type",
      reply: "r",
    }),
  ),
  {
    name: "half a surrogate pair as type",
    line: '{"type":"\\ud800","id":"r"}',
    code: "unknown_type",
    reply: "r",
  },
  ...KINDS.filter((kind) => typeof kind !== "string").map((kind) => ({
    name: `a type that is ${JSON.stringify(kind)}`,
    line: JSON.stringify({ type: kind, id: "r" }),
    code: "bad_message",
    reply: "r",
  })),
];

/** Values of the right kind that are still invalid. */
const WRONG_VALUES: readonly (readonly [type: string, change: Fields])[] = [
  ["user_message", { message_id: "no uuid" }],
  ["user_message", { delivery: "later" }],
  ["user_message", { attachments: [{ filename: "a", content: "" }] }],
  ["tool_approval", { decision: "maybe" }],
  ["tool_approval", { updatedPermissions: [{ type: "addRules" }] }],
  ["question_answer", { answers: { q: [1] } }],
  ["permission_mode", { mode: "yolo" }],
  ["model_change", { model: "" }],
  ["session_command", { command: "delete" }],
  ["session_command", { session_id: "no uuid" }],
  ["session_command", { command: "fork", at_message: "m" }],
  ["session_command", { command: "new", at_message: ID }],
  ["protocol_init", { session: { mode: "new", at_message: ID } }],
  ["stop_task", { task_id: "" }],
  ["session_list", { limit: 0 }],
  ["session_list", { limit: 501 }],
  ["session_list", { before: ID }],
  ["session_list", { before: `1e3_${ID}` }],
  ["session_history", { session_id: "../secrets" }],
  ["session_history", { session_id: `${ID}/../x` }],
  ["session_history", { limit: 501 }],
  ["session_history", { before: "" }],
  ["transcript_restore", { session_id: "../secrets" }],
  ["transcript_restore", { part: 0 }],
  ["transcript_restore", { dir: "" }],
  ["transcript_restore", { files: [{ file: "a", offset: -1, lines: [] }] }],
  ["transcript_restore", { files: [{ file: "a", offset: 0, lines: [{}] }] }],
  ["protocol_init", { version: 1.5 }],
  ["protocol_init", { session: { mode: "resume", session_id: "no uuid" } }],
  ["protocol_init", { options: { allowed_tool: ["Bash"] } }],
  ["protocol_init", { options: { env: { A: 1 } } }],
  ["protocol_init", { options: { max_queued: 0 } }],
];

/** Shallow enough to be read, too deep to be written to Claude. */
const TOO_DEEP: readonly BadLine[] = EXAMPLES.map((example) => ({
  name: `${example["type"]} with endless nesting`,
  line: `${JSON.stringify({ ...example, id: "r" }).slice(0, -1)},"further":${deep(60_000)}}`,
  code: "bad_message",
  reply: "r",
}));

function badMessage(name: string, fields: Fields): BadLine {
  const { id } = fields;
  const reply = typeof id === "string" ? id : undefined;
  return { name, line: JSON.stringify(fields), code: "bad_message", reply };
}

function exampleOf(type: string): Fields {
  return { ...EXAMPLES.find((example) => example["type"] === type), id: "r" };
}

function badFields({ shape }: (typeof InboundMessage.options)[number]): BadLine[] {
  const type = shape.type.value;
  const whole = exampleOf(type);
  return Object.entries(shape).flatMap(([key, schema]) => {
    if (key === "type") return [];
    const { [key]: _dropped, ...rest } = whole;
    const dropped = schema.safeParse(undefined).success
      ? []
      : [badMessage(`${type} without ${key}`, rest)];
    const wrong = KINDS.filter((kind) => !schema.safeParse(kind).success);
    return [
      ...dropped,
      ...wrong.map((kind) =>
        badMessage(`${type} with ${key} ${JSON.stringify(kind)}`, { ...whole, [key]: kind }),
      ),
    ];
  });
}

function badOptions(): BadLine[] {
  return Object.entries(SessionOptions.shape).flatMap(([key, schema]) =>
    KINDS.filter((kind) => !schema.safeParse(kind).success).map((kind) =>
      badMessage(`option ${key} ${JSON.stringify(kind)}`, {
        ...exampleOf("protocol_init"),
        options: { [key]: kind },
      }),
    ),
  );
}

/** All of them. */
export const BAD_LINES: readonly BadLine[] = [
  ...NOT_MESSAGES,
  ...InboundMessage.options.flatMap(badFields),
  ...badOptions(),
  ...TOO_DEEP,
  ...WRONG_VALUES.map(([type, change]) =>
    badMessage(`${type} with ${JSON.stringify(change)}`, { ...exampleOf(type), ...change }),
  ),
];
