/** An input that fits a JSON Schema in its plain parts, as a model would write one. Pure. */
import { type Fields, isJsonObject } from "../src/base/json.ts";
import { fieldOf } from "./json-value.ts";

/** An object with each property of the schema. */
export function sampleOf(schema: Fields): Fields {
  const properties = schema["properties"];
  if (!isJsonObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, sampleValue(property, name)]),
  );
}

function sampleValue(schema: unknown, name: string): unknown {
  const [first] = [fieldOf(schema, "enum"), fieldOf(schema, "examples")].flat().filter(isGiven);
  const given = [fieldOf(schema, "const"), fieldOf(schema, "default"), first].find(isGiven);
  if (given !== undefined) return given;
  switch (fieldOf(schema, "type")) {
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return isJsonObject(schema) ? sampleOf(schema) : {};
    default:
      return `some ${name}`;
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined;
}
