/** The fields that all messages between host and tugtalk share. Their schemas are in `message-schemas.ts`. */

/** The field that names the host message that is answered. */
export function replyTo({ id }: { readonly id?: string | undefined }): { in_reply_to?: string } {
  return id === undefined ? {} : { in_reply_to: id };
}

/** The version of the wire between host and tugtalk. */
export const IPC_VERSION = 2;

/** The name of a channel. Counted in characters, as JSON Schema does, and not in UTF-16 units. */
export const CHANNEL_NAME = /^[\s\S]{1,64}$/u;

export function isChannelName(value: unknown): value is string {
  return typeof value === "string" && CHANNEL_NAME.test(value);
}

const STAMP_FIELDS = ["ipc_version", "seq", "channel"] as const;
const COMMON_FIELDS = ["turn_id", "parent_tool_use_id", "in_reply_to"] as const;

/** A field that the writer adds to every message. */
export type StampField = (typeof STAMP_FIELDS)[number];

/** A field that every message to the host may have. */
export type CommonField = (typeof COMMON_FIELDS)[number];

/** Our own fields, which a field of Claude must not overwrite. */
const RESERVED: ReadonlySet<string> = new Set([...STAMP_FIELDS, ...COMMON_FIELDS, "type"]);

/** Claude's fields without the names that tugtalk uses. */
export function withoutReserved<Fields extends object>(fields: Fields): Fields {
  const kept = Object.entries(fields).filter((entry) => !RESERVED.has(entry[0]));
  // No schema of Claude's messages declares a reserved field.
  return Object.fromEntries(kept) as Fields;
}

type Defined<Fields> = { [Key in keyof Fields]: Exclude<Fields[Key], undefined> };

/** The fields that are defined. */
export function definedFields<Fields extends object>(fields: Fields): Defined<Fields> {
  const entries = Object.entries(fields).filter((entry) => entry[1] !== undefined);
  return Object.fromEntries(entries) as Defined<Fields>;
}

/** A message without `ipc_version` and `seq`. Not `Omit`, which loses the named keys of a loose object. */
export type Unstamped<Message> = Message extends unknown
  ? { [Key in keyof Message as Key extends StampField ? never : Key]: Message[Key] }
  : never;
