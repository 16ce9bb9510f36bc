/** Claude's answer to `initialize`. Fields of an unexpected shape are dropped. Protocol reference §13, §19. */
import { z } from "zod";
import { jsonObject } from "../base/json-schemas.ts";
import { optional } from "./claude-fields.ts";
import { text } from "./message-schemas.ts";

/** A list without the items that do not match the schema. In its metadata, `items` is that schema. */
function listOf<Schema extends z.ZodType>(schema: Schema) {
  const match = (item: unknown) => schema.safeParse(item).data ?? [];
  const matching = z.array(z.unknown()).transform((items) => items.flatMap(match));
  return optional(matching.meta({ items: schema }));
}

const Command = z.looseObject({
  name: text,
  description: optional(text),
  argumentHint: optional(text),
  aliases: optional(z.array(text)),
  builtin: optional(z.boolean()),
});

export const InitializeAnswer = z.looseObject({
  models: listOf(z.looseObject({ value: text })),
  commands: listOf(Command),
  agents: listOf(z.looseObject({ name: text })),
  output_style: optional(text),
  available_output_styles: optional(z.array(text)),
  account: optional(jsonObject),
  claude_code_version: optional(text),
});
export type InitializeAnswer = z.infer<typeof InitializeAnswer>;
