/** The host's vocabulary: what is taken, what is refused, and that all that leaves fits its schema (D15). */
import { expect, test } from "bun:test";
import type { z } from "zod";
import { EXAMPLES } from "../../testing/drivers/bad-host-lines.ts";
import { IPC_VERSION } from "../messages/envelope.ts";
import { NOTIFICATIONS } from "../messages/notifications.ts";
import { PermissionMode } from "../messages/protocol-init.ts";
import {
  INBOUND_TYPES,
  InboundMessage,
  isInboundMessage,
  isModelChange,
  isSessionCommand,
  isToolApproval,
  OutboundMessage,
} from "../types.ts";
import { requiredKeys, sampleOf } from "./support/schema-sample.ts";

type Fields = Readonly<Record<string, unknown>>;

const ID = "11111111-2222-4333-8444-555555555555";

// ---------------------------------------------------------------------------------------- inbound

const ACCEPTED: readonly (readonly [name: string, message: Fields])[] = [
  ["an opening with nothing chosen", { type: "protocol_init", version: 2 }],
  [
    "an opening with a session",
    { type: "protocol_init", version: 1, session: { mode: "resume", session_id: ID } },
  ],
  ["an id of the host's", { type: "interrupt", id: "any words" }],
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
    "a denial with its words",
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
    "one answer and several",
    { type: "question_answer", request_id: "r", answers: { a: "b", c: ["d"] } },
  ],
  ["the default model", { type: "model_change", model: null }],
  ["a model", { type: "model_change", model: "opus" }],
  ["a fork of the session in hand", { type: "session_command", command: "fork" }],
  [
    "an option that is false",
    { type: "protocol_init", version: 2, options: { use_api_key: false } },
  ],
];

test.each([...ACCEPTED])("as a message of the host %s is accepted unchanged", (_name, message) => {
  expect(isInboundMessage(message)).toBe(true);
  expect(InboundMessage.parse(message)).toEqual(message as never);
});

test.each([...EXAMPLES])(
  "$type with every field that it may have is taken unchanged",
  (example) => {
    expect(InboundMessage.parse(example)).toEqual(example as never);
  },
);

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
  ["words", "interrupt"],
  ["an object without a type", { text: "x" }],
  ["a type that is not known", { type: "shout" }],
  ["a type of Claude's", { type: "control_request", request_id: "r", request: {} }],
  ["a mode that is not known", { type: "permission_mode", mode: "yolo" }],
  ["a command that is not known", { type: "session_command", command: "delete" }],
  [
    "a session id that is no UUID",
    { type: "session_command", command: "resume", session_id: "abc" },
  ],
  ["a message id that is no UUID", { type: "user_message", text: "x", message_id: "1" }],
  ["a decision by its old name", { type: "tool_approval", request_id: "r", behavior: "allow" }],
  [
    "a suggestion of a known kind that is ill-typed",
    {
      type: "tool_approval",
      request_id: "r",
      decision: "allow",
      updatedPermissions: [{ type: "setMode" }],
    },
  ],
  ["an empty model", { type: "model_change", model: "" }],
  ["no model at all", { type: "model_change" }],
  [
    "an option that is misspelt",
    { type: "protocol_init", version: 2, options: { disallowed_tool: ["Bash"] } },
  ],
  ["an option out of range", { type: "protocol_init", version: 2, options: { max_queued: 0 } }],
  ["a version that is no whole number", { type: "protocol_init", version: 2.5 }],
  ["a place in a new conversation", { type: "session_command", command: "new", at_message: ID }],
];

test.each([...REFUSED])("as a message of the host %s is refused", (_name, value) => {
  expect(isInboundMessage(value)).toBe(false);
});

test("a field of a newer host is dropped", () => {
  const message = InboundMessage.parse({ type: "interrupt", brand_new: 1 });
  expect(message).toEqual({ type: "interrupt" });
});

test("the id of a conversation is taken in any case and kept in lower case", () => {
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

test("the guards tell the types apart", () => {
  const messages = EXAMPLES.map((example) => InboundMessage.parse(example));
  const emitted = (guard: (message: InboundMessage) => boolean) =>
    messages.filter(guard).map(({ type }) => type);
  expect(emitted(isModelChange)).toEqual(["model_change"]);
  expect(emitted(isSessionCommand)).toEqual(["session_command"]);
  expect(emitted(isToolApproval)).toEqual(["tool_approval"]);
  expect(INBOUND_TYPES).toContain("model_change");
  expect(INBOUND_TYPES).toContain("session_command");
});

// --------------------------------------------------------------------------------------- outbound

/** The schema of every message that a host may get, by its type; kinds of news share some types. */
const [own] = OutboundMessage.options;
const SCHEMAS: readonly (readonly [type: string, schema: z.ZodType])[] = [
  ...own.options.map((schema) => [schema.shape.type.value, schema] as const),
  ...Object.entries(NOTIFICATIONS).map(
    ([kind, { name, sent }]) => [`${name} (${kind})`, sent] as const,
  ),
];

/** The types that the plan names. */
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

/** Each schema with a message that has every field that it may have. */
const SAMPLES = SCHEMAS.map(([name, schema]) => ({ name, schema, sample: sampleOf(schema) }));

test("each outbound message with every field that it may have survives its schema unchanged", () => {
  for (const { name, schema, sample } of SAMPLES) {
    expect({ name, parsed: schema.parse(sample) }).toEqual({ name, parsed: sample });
    expect({ name, parsed: OutboundMessage.parse(sample) }).toEqual({
      name,
      parsed: sample,
    } as never);
  }
});

test("each outbound message without a field that it needs is refused", () => {
  for (const { name, schema, sample } of SAMPLES) {
    const keys = requiredKeys(schema).filter((key) => sample[key] !== null);
    expect(keys, name).toEqual(expect.arrayContaining(["type", "ipc_version", "seq"]));
    for (const key of keys) {
      const { [key]: _dropped, ...rest } = sample;
      expect(schema.safeParse(rest).success, `${name} without ${key}`).toBe(false);
    }
  }
});

test("each outbound message of another version of the wire is refused", () => {
  for (const { name, schema, sample } of SAMPLES) {
    expect(sample["ipc_version"], name).toBe(IPC_VERSION);
    for (const ipc_version of [1, 3, "2", undefined])
      expect(schema.safeParse({ ...sample, ipc_version }).success, name).toBe(false);
  }
});

test("the version of the wire is 2", () => {
  expect(IPC_VERSION).toBe(2);
});
