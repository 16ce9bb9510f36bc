/** The parts of zod's JSON Schemas that each document here uses. */
import { z } from "zod";
import { type Fields, isJsonObject } from "../src/base/json.ts";

/** A JSON Schema in the making. */
export type Schema = Record<string, unknown>;
export type Definitions = Record<string, Schema>;
export type Override = (at: { zodSchema: z.core.$ZodType; jsonSchema: Schema }) => void;

/** A reference to a definition. */
export function referenceTo(name: string | undefined): Schema {
  return { $ref: `#/$defs/${name}` };
}

/** The definitions of all parts with an id in a schema. */
export function definitionsOf(
  schema: z.ZodType,
  io: "input" | "output",
  override: Override,
): Definitions {
  const { $defs } = z.toJSONSchema(schema, { io, unrepresentable: "any", override });
  return $defs as Definitions;
}

/** Adds the rules that zod cannot represent, and drops empty ones. */
export const represent: Override = ({ zodSchema, jsonSchema }) => {
  const { values, known, additionalProperties, properties } = jsonSchema;
  if (Number.isInteger(jsonSchema["const"])) jsonSchema["type"] = "integer";
  if (values instanceof z.ZodType) {
    const { $schema: _name, ...schema } = z.toJSONSchema(values, { unrepresentable: "any" });
    jsonSchema["additionalProperties"] = schema;
    delete jsonSchema["values"];
  }
  if (isJsonObject(additionalProperties) && Object.keys(additionalProperties).length === 0)
    delete jsonSchema["additionalProperties"];
  if (zodSchema instanceof z.ZodObject && isJsonObject(properties))
    refuseUndefined(zodSchema, jsonSchema, properties);
  if (typeof known === "string") nameKnown(jsonSchema, known);
};

/** Names the usual definition of a loose value, so that generated types have its fields. */
function nameKnown(jsonSchema: Schema, name: string): void {
  const { known: _name, ...loose } = jsonSchema;
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
  jsonSchema["anyOf"] = [referenceTo(name), loose];
}

/** Leaves out a field that must be absent, and refuses it by a keyword that generators of types skip. */
function refuseUndefined(schema: z.ZodObject, jsonSchema: Schema, properties: Fields): void {
  const absent = Object.keys(schema.shape).filter(
    (name) => !schema.shape[name].safeParse(null).success && isUndefined(schema.shape[name]),
  );
  if (absent.length === 0) return;
  const kept = Object.entries(properties).filter(([name]) => !absent.includes(name));
  jsonSchema["properties"] = Object.fromEntries(kept);
  jsonSchema["not"] = { anyOf: absent.map((name) => ({ required: [name] })) };
}

function isUndefined(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodOptional
    ? isUndefined(schema.unwrap())
    : schema instanceof z.ZodUndefined;
}

/** Opens an enumeration or an object for further values. */
export function open(jsonSchema: Schema): void {
  if (jsonSchema["additionalProperties"] === false) delete jsonSchema["additionalProperties"];
  const { enum: values } = jsonSchema;
  if (values === undefined) return;
  delete jsonSchema["enum"];
  delete jsonSchema["type"];
  jsonSchema["anyOf"] = [{ type: "string", enum: values }, { type: "string" }];
}
