/** What every message between host and tugtalk has in common, in both directions. */
import { z } from "zod";
import { isJsonObject } from "../base/json.ts";

/** The schema of one host message. Keys of a newer host are dropped. */
export function inbound<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  fields: Fields,
) {
  return z.object({ type: z.literal(type), id: z.string().optional() }).extend(fields);
}

/** The id of a conversation, in lower case: so Claude writes it, and a file of another name is not found. */
export const SessionId = z.uuid().toLowerCase();

/**
 * Adds an issue for each text and each key that holds a NUL. For what may become an argument or an
 * environment entry of Claude, which cannot hold one.
 */
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

/** The field that ties a direct answer to the host's message. */
export function replyTo({ id }: { readonly id?: string | undefined }): { in_reply_to?: string } {
  return id === undefined ? {} : { in_reply_to: id };
}

/** The version of the wire between host and tugtalk (D15). */
export const IPC_VERSION = 2;

const place = {
  /** The turn that this belongs to; absent between turns and on background work. */
  turn_id: z.string().optional(),
  /** The tool call whose subagent this comes from; absent for the main conversation. */
  parent_tool_use_id: z.string().optional(),
  /** The `id` of the host message that this answers directly. */
  in_reply_to: z.string().optional(),
};

const stamp = {
  ipc_version: z.literal(IPC_VERSION),
  /** 1, 2, 3 … for the life of the process. */
  seq: z.number().int().positive(),
};

/** The names of our own fields: none of Claude's may stand in for them. */
const RESERVED: ReadonlySet<string> = new Set([
  ...Object.keys(stamp),
  ...Object.keys(place),
  "type",
]);

/** Claude's fields without those that are ours to set. */
export function withoutReserved<Fields extends object>(fields: Fields): Fields {
  const kept = Object.entries(fields).filter(([name]) => !RESERVED.has(name));
  // What is left out is not part of any declared shape of Claude's.
  return Object.fromEntries(kept) as Fields;
}

type Defined<Fields> = { [Key in keyof Fields]: Exclude<Fields[Key], undefined> };

/** The same fields without those that are undefined: absent means absent. */
export function definedFields<Fields extends object>(fields: Fields): Defined<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Fields>;
}

/** The schema of one message to the host, exact: every field is ours. */
export function outbound<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  fields: Fields,
) {
  return z.object({ type: z.literal(type), ...stamp, ...place }).extend(fields);
}

/** The schema of a message that is Claude's fields under our name: further ones pass through. */
export function looseOutbound<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  fields: Fields,
) {
  return z.looseObject({ type: z.literal(type), ...stamp, ...place }).extend(fields);
}

/** The same before it is stamped with version and number. */
export function unstampedLooseOutbound<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  fields: Fields,
) {
  return z.looseObject({ type: z.literal(type), ...place }).extend(fields);
}

/**
 * A message as the session makes it; the writer to the host adds `ipc_version` and `seq`. Keys are
 * remapped one by one, because `Omit` forgets the named keys of a loose object.
 */
export type Unstamped<Message> = Message extends unknown
  ? { [Key in keyof Message as Key extends keyof typeof stamp ? never : Key]: Message[Key] }
  : never;
