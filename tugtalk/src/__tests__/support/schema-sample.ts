/** A value that a schema takes, with every field that it names. Made from the schema itself. */
import { z } from "zod";

type JsonSchema = {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly format?: string;
};

export type Sample = Readonly<Record<string, unknown>>;

/** The keys that a message cannot do without. */
export function requiredKeys(schema: z.ZodType): readonly string[] {
  return resolved(jsonSchemaOf(schema)).required ?? [];
}

/** A whole message. */
export function sampleOf(schema: z.ZodType): Sample {
  return valueFor(jsonSchemaOf(schema)) as Sample;
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }) as JsonSchema;
}

/** The schema that a document refers to, with the definitions of the document. */
function resolved(schema: JsonSchema, { $defs = {} }: JsonSchema = schema): JsonSchema {
  const name = schema.$ref?.replace("#/$defs/", "");
  return name === undefined ? { ...schema, $defs } : { ...$defs[name], $defs };
}

function valueFor(reference: JsonSchema, document = reference): unknown {
  const schema = resolved(reference, document);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum.at(-1);
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice !== undefined) return valueFor(choice, document);
  switch (schema.type) {
    case "string":
      return schema.format === "uuid" ? "11111111-2222-4333-8444-555555555555" : "words";
    case "integer":
    case "number":
      return 7;
    case "boolean":
      return true;
    case "array":
      return [valueFor(schema.items ?? {}, document)];
    case "object":
      return objectOf(schema, document);
    default:
      return null;
  }
}

function objectOf({ properties, additionalProperties }: JsonSchema, document: JsonSchema): Sample {
  if (properties === undefined) {
    const of = typeof additionalProperties === "object" ? additionalProperties : {};
    return { key: valueFor(of, document) };
  }
  return Object.fromEntries(
    Object.entries(properties).map(([key, property]) => [key, valueFor(property, document)]),
  );
}
