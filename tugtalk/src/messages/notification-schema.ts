/**
 * How one kind of news is declared. Fields that a host must have are required; all others are shown
 * where Claude gives them: an ill-typed one is left out and never fails its message.
 */
import { z } from "zod";
import { looseOutbound, unstampedLooseOutbound } from "./envelope.ts";

export const text = z.string();
export const number = z.number();
export const flag = z.boolean();

/** A field that is for display only, or that only some versions have. */
export function shown<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().catch(undefined);
}

/** A field that tugtalk itself reads where it is there. */
export function known<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined);
}

export const shownText = shown(text);
export const shownNumber = shown(number);
export const shownFlag = shown(flag);

/** An object of Claude's, of which these fields are known. */
export function object<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.looseObject(fields);
}

/** The schemas of one kind of news: as it is parsed, and as it leaves. */
export function notification<Type extends string, Fields extends z.ZodRawShape>(
  name: Type,
  fields: Fields,
) {
  return { name, parsed: unstampedLooseOutbound(name, fields), sent: looseOutbound(name, fields) };
}
