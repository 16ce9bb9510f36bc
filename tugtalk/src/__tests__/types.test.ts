/**
 * The messages between host and tugtalk: the values that are accepted and rejected, and the outbound schemas.
 */

import { expect, test } from "bun:test";
import type { z } from "zod";
import type { Fields } from "../base/json.ts";
import { IPC_VERSION } from "../messages/envelope.ts";
import { NOTIFICATIONS } from "../messages/notifications.ts";
import { InboundMessage, OutboundMessage } from "../types.ts";
import { requiredKeys, sampleOf } from "./support/schema-sample.ts";

const ID = "11111111-2222-4333-8444-555555555555";

/** The tests of the schema, and of the lines of a host, show which values are accepted. */
test.each<Fields>([
  { type: "protocol_init", version: 1, session: { mode: "resume", session_id: ID } },
  { type: "protocol_init", version: 2, options: { use_api_key: false } },
  {
    type: "user_message",
    text: "",
    attachments: [{ filename: "", content: "", media_type: "text/plain" }],
  },
  { type: "tool_approval", request_id: "r", decision: "allow", updatedInput: { a: 1 } },
  { type: "tool_approval", request_id: "r", decision: "deny", message: "" },
  { type: "control", subtype: "set_max_thinking_tokens", max_thinking_tokens: null },
])("the host message %j is passed on unchanged", (message) => {
  expect(InboundMessage.parse(message)).toEqual(message as never);
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

test("the name of a worktree is one that Claude and Git take, on every version alike", () => {
  const isTaken = (worktree: string) =>
    InboundMessage.safeParse({ type: "protocol_init", version: 2, options: { worktree } }).success;
  const good = ["a", "A-1", "_x", "v1.2", "a.b.c", "HEAD", "x".repeat(64)];
  expect(good.filter((name) => !isTaken(name))).toEqual([]);
  const strange = [
    "",
    ".",
    "..",
    "a..b",
    ".x",
    "-x",
    "a.",
    "a.lock",
    "a/b",
    "a b",
    "ü",
    "@",
    "a\n",
  ];
  expect([...strange, "x".repeat(65)].filter(isTaken)).toEqual([]);
});

/** The schema of every outbound message by its type. Some notifications share a type. */
const [own] = OutboundMessage.options;
const SCHEMAS: readonly (readonly [type: string, schema: z.ZodType])[] = [
  ...own.options.map((schema) => [schema.shape.type.value, schema] as const),
  ...Object.entries(NOTIFICATIONS).map(
    ([kind, { name, sent }]) => [`${name} (${kind})`, sent] as const,
  ),
];

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
