/** The fields that all messages between host and tugtalk share, and what their schemas are built with. */
import { z } from "zod";
import { isJsonObject } from "../base/json.ts";

/** The schemas of a message's fields. */
export type Shape = z.ZodRawShape;

/** The schema of one host message. Unknown keys are dropped. */
export function inbound<Type extends string, Fields extends Shape>(type: Type, fields: Fields) {
  return z.object({ type: z.literal(type), id: z.string().optional() }).extend(fields);
}

/** The id of a conversation, in lower case as in the file names of Claude. */
export const SessionId = z.uuid().toLowerCase();

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

/** The field that names the host message that is answered. */
export function replyTo({ id }: { readonly id?: string | undefined }): { in_reply_to?: string } {
  return id === undefined ? {} : { in_reply_to: id };
}

/** The version of the wire between host and tugtalk (D15). */
export const IPC_VERSION = 2;

const commonFields = {
  /** The turn of this message; absent between turns and for background work. */
  turn_id: z.string().optional(),
  /** The tool call of the subagent; absent for the main conversation. */
  parent_tool_use_id: z.string().optional(),
  /** The `id` of the host message that is answered. */
  in_reply_to: z.string().optional(),
};

const stamp = {
  ipc_version: z.literal(IPC_VERSION),
  /** 1, 2, 3 … within one process. */
  seq: z.number().int().positive(),
};

/** Our own fields, which a field of Claude must not overwrite. */
const RESERVED: ReadonlySet<string> = new Set([
  ...Object.keys(stamp),
  ...Object.keys(commonFields),
  "type",
]);

/** Claude's fields without those that have the name of one of ours. */
export function withoutReserved<Fields extends object>(fields: Fields): Fields {
  const kept = Object.entries(fields).filter(([name]) => !RESERVED.has(name));
  // No schema of Claude's messages declares a reserved field.
  return Object.fromEntries(kept) as Fields;
}

type Defined<Fields> = { [Key in keyof Fields]: Exclude<Fields[Key], undefined> };

/** The same fields without those that are undefined. */
export function definedFields<Fields extends object>(fields: Fields): Defined<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Fields>;
}

/** The schema of one message to the host with exactly these fields. */
export function outbound<Type extends string, Fields extends Shape>(type: Type, fields: Fields) {
  return z.object({ type: z.literal(type), ...stamp, ...commonFields }).extend(fields);
}

/** The schema of a message that passes on fields of Claude, declared or not. */
export function looseOutbound<Type extends string, Fields extends Shape>(
  type: Type,
  fields: Fields,
) {
  return z.looseObject({ type: z.literal(type), ...stamp, ...commonFields }).extend(fields);
}

/** The same without `ipc_version` and `seq`. */
export function unstampedLooseOutbound<Type extends string, Fields extends Shape>(
  type: Type,
  fields: Fields,
) {
  return z.looseObject({ type: z.literal(type), ...commonFields }).extend(fields);
}

/** A message without `ipc_version` and `seq`. Not `Omit`, which loses the named keys of a loose object. */
export type Unstamped<Message> = Message extends unknown
  ? { [Key in keyof Message as Key extends keyof typeof stamp ? never : Key]: Message[Key] }
  : never;
