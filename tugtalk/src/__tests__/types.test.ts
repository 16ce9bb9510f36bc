/** The messages between host and tugtalk: what is accepted, what is rejected, and the outbound schemas. */

import { expect, test } from "bun:test";
import type { z } from "zod";
import { EXAMPLES } from "../../testing/drivers/bad-host-lines.ts";
import type { Fields } from "../base/json.ts";
import { IPC_VERSION } from "../messages/envelope.ts";
import { INBOUND_TYPES } from "../messages/inbound-types.ts";
import { NOTIFICATIONS } from "../messages/notifications.ts";
import { PermissionMode } from "../messages/protocol-init.ts";
import {
  InboundMessage,
  isInboundMessage,
  isModelChange,
  isSessionCommand,
  isToolApproval,
  OutboundMessage,
} from "../types.ts";
import { requiredKeys, sampleOf } from "./support/schema-sample.ts";

const ID = "11111111-2222-4333-8444-555555555555";

const ACCEPTED: readonly (readonly [name: string, message: Fields])[] = [
  ["a protocol_init without choices", { type: "protocol_init", version: 2 }],
  [
    "a protocol_init with a session",
    { type: "protocol_init", version: 1, session: { mode: "resume", session_id: ID } },
  ],
  ["a message with an id", { type: "interrupt", id: "any text" }],
  ["an empty text", { type: "user_message", text: "" }],
  [
    "a text attachment",
    {
      type: "user_message",
      text: "x",
      attachments: [{ filename: "", content: "", media_type: "text/plain" }],
    },
  ],
  [
    "an approval with its input",
    { type: "tool_approval", request_id: "r", decision: "allow", updatedInput: { a: 1 } },
  ],
  [
    "a denial with a message",
    { type: "tool_approval", request_id: "r", decision: "deny", message: "" },
  ],
  [
    "a suggestion of an unknown kind",
    {
      type: "tool_approval",
      request_id: "r",
      decision: "allow",
      updatedPermissions: [{ type: "brand_new", x: 1 }],
    },
  ],
  [
    "a question with one answer and one with several",
    { type: "question_answer", request_id: "r", answers: { a: "b", c: ["d"] } },
  ],
  ["a change to the default model", { type: "model_change", model: null }],
  ["a change to a named model", { type: "model_change", model: "opus" }],
  ["a fork of the current session", { type: "session_command", command: "fork" }],
  [
    "a protocol_init with an option that is false",
    { type: "protocol_init", version: 2, options: { use_api_key: false } },
  ],
];

test.each([...ACCEPTED])(
  "%s is accepted as a host message and passed on unchanged",
  (_name, message) => {
    expect(isInboundMessage(message)).toBe(true);
    expect(InboundMessage.parse(message)).toEqual(message as never);
  },
);

test.each([...EXAMPLES])("$type with every optional field is accepted unchanged", (example) => {
  expect(InboundMessage.parse(example)).toEqual(example as never);
});

test.each([...PermissionMode.options])(
  "the mode %s is accepted by permission_mode and by protocol_init",
  (mode) => {
    expect(isInboundMessage({ type: "permission_mode", mode })).toBe(true);
    expect(isInboundMessage({ type: "protocol_init", version: 2, permission_mode: mode })).toBe(
      true,
    );
  },
);

const REFUSED: readonly (readonly [name: string, value: unknown])[] = [
  ["null", null],
  ["a list", []],
  ["a string", "interrupt"],
  ["an object without a type", { text: "x" }],
  ["an unknown type", { type: "shout" }],
  ["a message type of Claude", { type: "control_request", request_id: "r", request: {} }],
  ["an unknown permission mode", { type: "permission_mode", mode: "yolo" }],
  ["an unknown session command", { type: "session_command", command: "delete" }],
  [
    "a session id that is not a UUID",
    { type: "session_command", command: "resume", session_id: "abc" },
  ],
  ["a message id that is not a UUID", { type: "user_message", text: "x", message_id: "1" }],
  [
    "a decision under another field name",
    { type: "tool_approval", request_id: "r", behavior: "allow" },
  ],
  [
    "an ill-typed suggestion of a known kind",
    {
      type: "tool_approval",
      request_id: "r",
      decision: "allow",
      updatedPermissions: [{ type: "setMode" }],
    },
  ],
  ["an empty model name", { type: "model_change", model: "" }],
  ["a model_change without a model", { type: "model_change" }],
  [
    "a misspelt option",
    { type: "protocol_init", version: 2, options: { disallowed_tool: ["Bash"] } },
  ],
  ["an option out of range", { type: "protocol_init", version: 2, options: { max_queued: 0 } }],
  ["a version that is not an integer", { type: "protocol_init", version: 2.5 }],
  [
    "a resume point in a new conversation",
    { type: "session_command", command: "new", at_message: ID },
  ],
];

test.each([...REFUSED])("%s is rejected as a host message", (_name, value) => {
  expect(isInboundMessage(value)).toBe(false);
});

test("an unknown field of a host message is dropped", () => {
  const message = InboundMessage.parse({ type: "interrupt", brand_new: 1 });
  expect(message).toEqual({ type: "interrupt" });
});

test("a session id is accepted in any case and converted to lower case", () => {
  const session_id = "ABCDEF00-2222-4333-8444-555555555555";
  const parsed = [
    ...["new", "resume", "fork"].map((mode) =>
      InboundMessage.parse({ type: "protocol_init", version: 2, session: { mode, session_id } }),
    ),
    InboundMessage.parse({ type: "session_command", command: "new", session_id }),
    InboundMessage.parse({ type: "session_history", session_id }),
  ];
  for (const message of parsed) {
    const session = message.type === "protocol_init" ? message.session : message;
    expect(session).toMatchObject({ session_id: session_id.toLowerCase() });
  }
});

test("a message id is accepted in any case and converted to lower case", () => {
  const message_id = "ABCDEF00-2222-4333-8444-555555555555";
  const parsed = [
    InboundMessage.parse({ type: "user_message", text: "hi", message_id }),
    InboundMessage.parse({ type: "cancel_message", message_id }),
  ];
  for (const message of parsed)
    expect(message).toMatchObject({ message_id: message_id.toLowerCase() });
});

test("each type guard accepts only its own type", () => {
  const messages = EXAMPLES.map((example) => InboundMessage.parse(example));
  const emitted = (guard: (message: InboundMessage) => boolean) =>
    messages.filter(guard).map(({ type }) => type);
  expect(emitted(isModelChange)).toEqual(["model_change"]);
  expect(emitted(isSessionCommand)).toEqual(["session_command"]);
  expect(emitted(isToolApproval)).toEqual(["tool_approval"]);
  expect(INBOUND_TYPES).toContain("model_change");
  expect(INBOUND_TYPES).toContain("session_command");
});

/** The schema of every outbound message by its type. Some notifications share a type. */
const [own] = OutboundMessage.options;
const SCHEMAS: readonly (readonly [type: string, schema: z.ZodType])[] = [
  ...own.options.map((schema) => [schema.shape.type.value, schema] as const),
  ...Object.entries(NOTIFICATIONS).map(
    ([kind, { name, sent }]) => [`${name} (${kind})`, sent] as const,
  ),
];

/** The outbound types that the plan names. */
const PLANNED = [
  "thinking_text",
  "control_request_forward",
  "system_metadata",
  "cost_update",
  "tool_use_structured",
  "compact_boundary",
  "assistant_text",
  "tool_use",
  "tool_result",
  "turn_complete",
  "turn_cancelled",
  "error",
  "session_init",
];

test("every outbound type that the plan names has a schema", () => {
  expect(SCHEMAS.map(([type]) => type)).toEqual(expect.arrayContaining(PLANNED));
});

/** Each schema with a message that has every optional field. */
const SAMPLES = SCHEMAS.map(([name, schema]) => ({ name, schema, sample: sampleOf(schema) }));

test("each outbound message with every optional field passes its schema unchanged", () => {
  for (const { name, schema, sample } of SAMPLES) {
    expect({ name, parsed: schema.parse(sample) }).toEqual({ name, parsed: sample });
    expect({ name, parsed: OutboundMessage.parse(sample) }).toEqual({
      name,
      parsed: sample,
    } as never);
  }
});

test("each outbound message without a required field is rejected", () => {
  for (const { name, schema, sample } of SAMPLES) {
    const keys = requiredKeys(schema).filter((key) => sample[key] !== null);
    expect(keys, name).toEqual(expect.arrayContaining(["type", "ipc_version", "seq"]));
    for (const key of keys) {
      const { [key]: _dropped, ...rest } = sample;
      expect(schema.safeParse(rest).success, `${name} without ${key}`).toBe(false);
    }
  }
});

test("each outbound message with another ipc_version is rejected", () => {
  for (const { name, schema, sample } of SAMPLES) {
    expect(sample["ipc_version"], name).toBe(IPC_VERSION);
    for (const ipc_version of [1, 3, "2", undefined])
      expect(schema.safeParse({ ...sample, ipc_version }).success, name).toBe(false);
  }
});

test("the version of the wire is 2", () => {
  expect(IPC_VERSION).toBe(2);
});
