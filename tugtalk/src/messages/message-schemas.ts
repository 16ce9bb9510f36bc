/** The parts of the schemas of the messages between host and tugtalk. */
import { z } from "zod";
import { isJsonObject } from "../base/json.ts";
import { isWorktreeName, WORKTREE_NAME } from "../base/plain-value.ts";
import { CHANNEL_NAME, type CommonField, IPC_VERSION, type StampField } from "./envelope.ts";

/** The schemas of a message's fields. */
export type Shape = z.ZodRawShape;

export const text = z.string();
export const number = z.number();
export const flag = z.boolean();
export const texts = z.array(text);
export const optionalText = text.optional();
export const optionalNumber = number.optional();
export const optionalFlag = flag.optional();
/** A whole number from 0 on. */
export const count = number.int().nonnegative();

/** A time in ms, as long as a timer can run. */
export const milliseconds = number.int().positive().max(2_147_483_647);

/** The longest answer of the host's program, in bytes of JSON. */
const MAX_ANSWER_BYTES = 10 * 1024 * 1024;

/** Refuses an answer that would keep Claude busy for long. */
export function refuseLongAnswer(answer: unknown, context: z.RefinementCtx): void {
  if (Buffer.byteLength(JSON.stringify(answer)) > MAX_ANSWER_BYTES)
    context.addIssue({ code: "custom", message: `longer than ${MAX_ANSWER_BYTES} bytes` });
}

/** Several fields of one schema, each with its description. */
export function described<Schema extends z.ZodType, Name extends string>(
  schema: Schema,
  descriptions: Readonly<Record<Name, string>>,
) {
  const entries = Object.entries<string>(descriptions);
  const fields = entries.map(([name, description]) => [name, schema.describe(description)]);
  // `Object.fromEntries` loses the names.
  return Object.fromEntries(fields) as Record<Name, Schema>;
}

const replyId = optionalText.describe(
  "Any text of the host's. The direct answer repeats it as `in_reply_to`.",
);

/** The name of a channel. */
const channel = text
  .regex(CHANNEL_NAME)
  .optional()
  .describe("With `--multiplex`, the channel: 1 to 64 characters.");

function literalType<Type extends string>(type: Type) {
  return z.literal(type).describe("The kind of the message.");
}

/** The schema of one host message. Unknown keys are dropped. */
export function inbound<Type extends string, Fields extends Shape>(type: Type, fields: Fields) {
  return z.object({ type: literalType(type), id: replyId, channel }).extend(fields);
}

/** The id of a conversation, a message or a line, in lower case as in the files of Claude. */
export const uuid = z.uuid().toLowerCase();

/** The names that Claude and Git take, but for `/`, which Claude writes as another character. */
export const worktreeName = text
  .regex(
    WORKTREE_NAME,
    "must be letters, digits, `_`, `-` and single dots within it, and begin with none of the last two",
  )
  .refine(isWorktreeName, "must have at most 64 characters, and not end with .lock");

/**
 * Puts the check of `refuseNul` into the JSON Schema. In this form generators of types, which know no
 * conditions, do not see it.
 */
export const NUL_FREE = {
  if: { $ref: "#/$defs/SessionOptions/$defs/NulFree" },
  else: false,
} as const;

/** Adds an issue for each string and key with a NUL, which no argument or environment variable can hold. */
export function refuseNul(
  value: unknown,
  context: z.RefinementCtx,
  path: readonly string[] = [],
): void {
  if (typeof value === "string" && value.includes("\0"))
    context.addIssue({ code: "custom", path: [...path], message: "holds a NUL character" });
  if (!isJsonObject(value) && !Array.isArray(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key.includes("\0"))
      context.addIssue({ code: "custom", path: [...path], message: "a key holds a NUL character" });
    else refuseNul(inner, context, [...path, key]);
  }
}

/** A text that the system gets: the folder that Claude works in, an argument of Claude. */
export const nulFreeText = text.min(1).superRefine(refuseNul).meta(NUL_FREE);

const commonFields = described(optionalText, {
  turn_id: "The turn of the message. Absent between turns and for work in the background.",
  parent_tool_use_id:
    "The tool call whose subagent the message comes from. Absent for the main conversation, and where Claude does not say.",
  in_reply_to: "The `id` of the host message that this answers directly. Absent if it had none.",
} satisfies Record<CommonField, string>);

const stamp = {
  ipc_version: z.literal(IPC_VERSION).describe("The version of the wire."),
  seq: number
    .int()
    .positive()
    .describe(
      "The number of the message: 1, 2, 3 … without a gap in one process, or in one channel of it. With `instance_id` of `protocol_ack` it is globally unique.",
    ),
  channel,
} satisfies Record<StampField, z.ZodType>;

/** The schema of one message to the host with exactly these fields. */
export function outbound<Type extends string, Fields extends Shape>(type: Type, fields: Fields) {
  return z.object({ type: literalType(type), ...stamp, ...commonFields }).extend(fields);
}

/** The schema of a message that passes on fields of Claude, declared or not. */
export function looseOutbound<Type extends string, Fields extends Shape>(
  type: Type,
  fields: Fields,
) {
  return z.looseObject({ type: literalType(type), ...stamp, ...commonFields }).extend(fields);
}

/** The same without `ipc_version` and `seq`. */
export function unstampedLooseOutbound<Type extends string, Fields extends Shape>(
  type: Type,
  fields: Fields,
) {
  return z.looseObject({ type: literalType(type), ...commonFields }).extend(fields);
}
