/**
 * Schemas for fields that Claude owns, and for its notifications. A field without which a message is
 * useless is required. Any other is dropped if it is ill-typed, and never fails its message.
 */
import { z } from "zod";
import {
  described,
  looseOutbound,
  type Shape,
  text,
  unstampedLooseOutbound,
} from "./message-schemas.ts";

/** A field for display. It may be null, which some versions send. */
export function nullish<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().catch(undefined);
}

/** A field that tugtalk reads. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined);
}

/** Several fields for display, each with its description. */
export function nullishFields<Schema extends z.ZodType, Name extends string>(
  schema: Schema,
  descriptions: Readonly<Record<Name, string>>,
) {
  return described(nullish(schema), descriptions);
}

/** An object of this `type`, with these fields and others. */
export function variant<Type extends string, Fields extends Shape>(type: Type, fields: Fields) {
  return z.looseObject({ type: z.literal(type) }).extend(fields);
}

/** The fields that most kinds of line have. */
const lineFields = { session_id: text.optional(), uuid: text.optional() };

/** One kind of line, with these fields and others. */
export function line<Type extends string, Fields extends Shape>(type: Type, fields: Fields) {
  return variant(type, lineFields).extend(fields);
}

/** A line of the type `system`. */
export function systemLine<Subtype extends string, Fields extends Shape>(
  subtype: Subtype,
  fields: Fields,
) {
  return line("system", { subtype: z.literal(subtype) }).extend(fields);
}

/** The schemas of one notification: as parsed from Claude, and as sent to the host. */
export function notification<Type extends string, Fields extends Shape>(
  name: Type,
  description: string,
  fields: Fields,
) {
  return {
    name,
    parsed: unstampedLooseOutbound(name, fields),
    sent: looseOutbound(name, fields).describe(description),
  };
}
