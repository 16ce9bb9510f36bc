/** Messages of hosts: the plain checks accept a message only where the schema returns it unchanged. */
import { expect, test } from "bun:test";
import { EXAMPLES } from "../../../testing/drivers/bad-host-lines.ts";
import { expectPlainAsSchema } from "../../../testing/random/plain-property.ts";
import { sampleOf } from "../../__tests__/support/schema-sample.ts";
import { fieldsOf } from "../../base/json.ts";
import { SessionOptions } from "../../messages/options.ts";
import { PermissionSuggestion } from "../../protocol-types.ts";
import { InboundMessage } from "../../types.ts";
import { PLAIN_MESSAGES } from "../plain-checks.generated.ts";

const ID = "11111111-2222-4333-8444-555555555555";

const SUGGESTIONS = [
  { type: "addRules", destination: "session", behavior: "allow", rules: [{ toolName: "Read" }] },
  { type: "setMode", destination: "session", mode: "plan" },
  { type: "addDirectories", destination: "session", directories: ["/tmp"] },
];

/** The schema would read a first message with tools or hooks of the host. */
const { host_tools: _tools, host_hooks: _hooks, ...OPTIONS } = fieldsOf(sampleOf(SessionOptions));

const TOOL_TEXT = { type: "host_tool_answer", request_id: "r", text: "x", is_error: true };

/** Messages with the modes and fields that the examples lack. */
const FULL: readonly object[] = [
  { type: "protocol_init", version: 2, options: OPTIONS },
  ...["new", "resume", "fork"].map((mode) => ({
    type: "protocol_init",
    version: 2,
    session: { mode, session_id: ID },
  })),
  { type: "protocol_init", version: 1, session: { mode: "continue", at_message: ID }, dir: "/tmp" },
  TOOL_TEXT,
  { type: "tool_approval", request_id: "r", decision: "allow", updatedPermissions: SUGGESTIONS },
  { type: "question_answer", request_id: "r", answers: { "Which?": "this", "Who?": ["a", "b"] } },
  {
    type: "user_message",
    text: "x",
    attachments: [{ filename: "a.txt", content: "a", media_type: "text/plain" }],
  },
];

/** Messages that come seldom, for example the answer of a tool in blocks: their schemas read them. */
const RARE = [
  "session_command",
  "control",
  "host_tools",
  "host_tool_answer",
  "session_list",
  "session_history",
  "transcript_restore",
];

const MESSAGES = [...EXAMPLES, ...FULL].map((message) => ({
  ...message,
  id: "i",
  channel: "c",
}));

function isPlain(value: unknown): boolean {
  const { type } = fieldsOf(value);
  return typeof type === "string" && PLAIN_MESSAGES.get(type)?.(value) === true;
}

test("the examples of all messages but the rare ones are plain", () => {
  expect(SUGGESTIONS.every((one) => PermissionSuggestion.safeParse(one).success)).toBe(true);
  const others = MESSAGES.filter((message) => !isPlain(message));
  expect(isPlain(TOOL_TEXT)).toBe(true);
  expect([...new Set(others.map((message) => fieldsOf(message)["type"]))]).toEqual(RARE);
});

test("a message that passes as plain is one that its schema returns as it is", () => {
  for (const message of MESSAGES)
    expectPlainAsSchema(JSON.stringify(message).slice(0, 60), isPlain, InboundMessage, [message]);
});
