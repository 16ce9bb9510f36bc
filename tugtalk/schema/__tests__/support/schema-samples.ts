/** Messages of most definitions, and the parts of them that types generated from `schema.json` keep. */
import { expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import SCHEMA from "../../../schema.json";
import { type Fields, fieldsOf, isJsonObject } from "../../../src/base/json.ts";
import { KIND_FIXTURES } from "../../../testing/captures/kind-fixtures.ts";
import { emittedFor } from "../../../testing/captures/kind-session.ts";
import { EXAMPLES } from "../../../testing/drivers/bad-host-lines.ts";
import { definitionName } from "../../../testing/drivers/schema-check.ts";

const RECORDINGS = join(import.meta.dir, "..", "..", "..", "replay", "__tests__", "recordings");

/** A message with its side and the name of its definition. */
export type Sample = {
  readonly side: "InboundMessage" | "OutboundMessage";
  readonly name: string;
  readonly message: Fields;
};

/** Examples of all messages of a host, and messages of captures and recordings. */
export async function schemaSamples(): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const add = (side: Sample["side"], message: Fields): void => {
    samples.push({ side, name: definitionName(side, message) ?? "", message });
  };
  for (const example of EXAMPLES) add("InboundMessage", example);
  for (const message of recordedMessages()) add("OutboundMessage", message);
  for (const { line } of KIND_FIXTURES)
    for (const message of await emittedFor(line)) add("OutboundMessage", fieldsOf(message));
  return samples;
}

/** The bridge's messages in the recorded sessions of real CLIs. */
function recordedMessages(): Fields[] {
  return readdirSync(RECORDINGS)
    .filter((name) => name.startsWith("claude-"))
    .flatMap((name) => readFileSync(join(RECORDINGS, name), "utf8").split("\n"))
    .filter((line) => line.includes('"dir":"emit"'))
    .map((line) => fieldsOf(JSON.parse(line).msg));
}

/** The keywords of a schema, its reference and its alternatives for the inside of a value. */
type Shape = {
  readonly properties: Fields;
  readonly items: unknown;
  readonly values: unknown;
};

function shapeOf(schema: unknown): Shape {
  const { $ref, oneOf, anyOf, properties, items, additionalProperties } = fieldsOf(schema);
  const referred = typeof $ref === "string" ? [definitionOf($ref)] : [];
  const parts = [...referred, ...[oneOf ?? anyOf ?? []].flat()].map(shapeOf);
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties), fieldsOf(properties)),
    items: items ?? parts.find((part) => part.items !== undefined)?.items,
    values: additionalProperties ?? parts.find((part) => part.values !== undefined)?.values,
  };
}

function definitionOf(reference: string): unknown {
  return fieldsOf(SCHEMA.$defs)[reference.replace("#/$defs/", "")];
}

/** Some types leave out nulls, and empty optional arrays and objects. */
function isEmpty(value: unknown): boolean {
  return typeof value === "object" && Object.keys(value ?? {}).length === 0;
}

/** The part of a value that a schema declares, without empty parts. */
function declared(schema: unknown, value: unknown): unknown {
  const { properties, items, values } = shapeOf(schema);
  if (Array.isArray(value))
    return items === undefined ? value : value.map((item) => declared(items, item));
  const isOpen = Object.keys(properties).length === 0 && !isJsonObject(values);
  if (!isJsonObject(value) || isOpen) return value;
  const known = Object.entries(value)
    .filter(([key, inner]) => !isEmpty(inner) && (isJsonObject(values) || key in properties))
    .map(([key, inner]) => [key, declared(properties[key] ?? values, inner)]);
  return Object.fromEntries(known);
}

/** A message that was read and printed again is the same in every declared field. */
export function expectSame(samples: readonly Sample[], printed: readonly unknown[]): void {
  expect(printed.length).toBe(samples.length);
  samples.forEach(({ name, message }, index) => {
    const expected = { name, message: declared(definitionOf(`#/$defs/${name}`), message) };
    expect({ name, message: printed[index] }).toMatchObject(expected as never);
  });
}
