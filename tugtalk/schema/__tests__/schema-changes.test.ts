/** `schema.json` only grows, and CHANGELOG.md names each addition. */
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import packageJson from "../../../package.json";
import SCHEMA from "../../schema.json";
import { type Fields, fieldsOf } from "../../src/base/json.ts";
import { schemaChanges } from "./support/schema-changes.ts";

const FIXTURES = `${import.meta.dir}/fixtures`;

/** The copy of the last released version; at a release the copy of the new one replaces it. */
const [RELEASED = ""] = readdirSync(FIXTURES).filter((name) => name.startsWith("schema-"));

const CHANGELOG = await Bun.file(`${import.meta.dir}/../../../CHANGELOG.md`).text();

/** The text below the heading of a version. */
function sectionOf(version: string): string | undefined {
  return CHANGELOG.split(/^## /m).find((section) => section.split("\n")[0] === version);
}

/** The messages to the host that the version does not send any more, by their names in CHANGELOG.md. */
const REMOVED = new Set(
  [...(sectionOf(packageJson.version) ?? "").matchAll(/^- Removed: .*$/gm)].flatMap(([line]) =>
    [...line.matchAll(/`([A-Z]\w+)`/g)].map(([, name = ""]) => name),
  ),
);

function withoutRemoved({ $defs, ...rest }: { readonly $defs: Fields }): Fields {
  const kept = Object.entries($defs).filter(([name]) => !REMOVED.has(name));
  const { oneOf, ...union } = fieldsOf($defs["OutboundMessage"]);
  const messages = (oneOf as { readonly $ref: string }[]).filter(
    ({ $ref }) => !REMOVED.has(basename($ref)),
  );
  const OutboundMessage = { ...union, oneOf: messages };
  return { ...rest, $defs: { ...Object.fromEntries(kept), OutboundMessage } };
}

const changes = schemaChanges(
  withoutRemoved(await Bun.file(`${FIXTURES}/${RELEASED}`).json()),
  SCHEMA,
);

test("schema.json has everything that the last released version has, but for messages that CHANGELOG.md calls removed", () => {
  expect(RELEASED).toMatch(/^schema-\d+\.\d+\.\d+\.json$/);
  expect(changes.broken).toEqual([]);
});

test("CHANGELOG.md has a section for the version of package.json", () => {
  expect(sectionOf(packageJson.version)).toBeDefined();
});

test("CHANGELOG.md names every definition, field and value that the version adds to schema.json", () => {
  const section = sectionOf(packageJson.version) ?? "";
  /** A field of every message is named once, as `*.field`. */
  const isNamed = (path: string) =>
    [path, path.replace(/^\w+(?=\.)/, "*")].some((name) => section.includes(`\`${name}\``));
  expect(changes.added.filter((path) => !isNamed(path))).toEqual([]);
});

/** A document in which `Inner` is reached from the union of its side. */
function documentOf(side: "InboundMessage" | "OutboundMessage", inner: Fields): Fields {
  const unions = { InboundMessage: { oneOf: [] }, OutboundMessage: { oneOf: [] } };
  return { $defs: { ...unions, [side]: { oneOf: [{ $ref: "#/$defs/Inner" }] }, Inner: inner } };
}

const fields = (properties: Fields, ...required: string[]): Fields => ({
  type: "object",
  properties,
  required,
});
const text = { type: "string" };
const listed = (...values: string[]): Fields => ({
  anyOf: [{ type: "string", enum: values }, { type: "string" }],
});

/** The sentence about a change on either side; none if it breaks nothing. */
type Broken = { readonly both?: string; readonly inbound?: string; readonly outbound?: string };

type Row = readonly [name: string, older: Fields, newer: Fields, broken: Broken];

const A = fields({ a: text });
const A_REQUIRED = fields({ a: text }, "a");

/** A change, and the sentences about the parts that it breaks. */
const ROWS: readonly Row[] = [
  ["the same schema", A_REQUIRED, A_REQUIRED, {}],
  ["another description", { ...text, description: "a" }, { ...text, description: "b" }, {}],
  ["a removed field", A, fields({}), { both: "Inner.a is gone" }],
  ["a new optional field", fields({}), A, {}],
  ["a new required field", fields({}), A_REQUIRED, { inbound: "Inner.a is required" }],
  ["a field that becomes required", A, A_REQUIRED, { inbound: "Inner.a is required" }],
  ["a field that becomes optional", A_REQUIRED, A, { outbound: "Inner.a may be absent" }],
  [
    "another type",
    A,
    fields({ a: { type: "number" } }),
    { both: "Inner.a has the type number, and not string" },
  ],
  [
    "a field that may be null",
    A,
    fields({ a: { type: ["string", "null"] } }),
    { outbound: "Inner.a may have the type string,null, and not only string" },
  ],
  [
    "a field that may no longer be null",
    fields({ a: { type: ["string", "null"] } }),
    A,
    { both: "Inner.a has the type string, and not string,null" },
  ],
  ["a type where there was none", {}, text, { both: "Inner has the type string, and not " }],
  [
    "no type where there was one",
    text,
    {},
    { outbound: "Inner may have the type , and not only string" },
  ],
  ["a removed value", { enum: ["a", "b"] }, { enum: ["a"] }, { both: 'Inner has no value "b"' }],
  ["a new value", { enum: ["a"] }, { enum: ["a", "b"] }, {}],
  [
    "a removed value of an open enumeration",
    listed("a", "b"),
    listed("a"),
    { both: 'Inner/0 has no value "b"' },
  ],
  [
    "a list of values where there was none",
    text,
    { ...text, enum: ["a"] },
    { inbound: "Inner accepts listed values only" },
  ],
  ["another constant", { const: 1 }, { const: 2 }, { both: "Inner has no value 1" }],
  ["a larger maximum", { maximum: 1 }, { maximum: 2 }, { outbound: "Inner has another maximum" }],
  ["a larger minimum", { minimum: 1 }, { minimum: 2 }, { inbound: "Inner has another minimum" }],
  ["a new pattern", text, { ...text, pattern: "a" }, { inbound: "Inner has another pattern" }],
  [
    "a pattern that is gone",
    { ...text, pattern: "a" },
    text,
    { outbound: "Inner has another pattern" },
  ],
  [
    "further fields that are refused",
    fields({}),
    { ...fields({}), additionalProperties: false },
    { inbound: "Inner has another additionalProperties" },
  ],
  [
    "other items",
    { type: "array", items: text },
    { type: "array", items: { type: "number" } },
    { both: "Inner[] has the type number, and not string" },
  ],
  [
    "other values of a map",
    { additionalProperties: text },
    { additionalProperties: { type: "number" } },
    { both: "Inner{} has the type number, and not string" },
  ],
  [
    "another definition",
    { $ref: "#/$defs/A" },
    { $ref: "#/$defs/B" },
    { both: "Inner is not #/$defs/A" },
  ],
  [
    "an alternative that is gone",
    { oneOf: [text, {}] },
    { oneOf: [text] },
    { both: "Inner/1 is gone" },
  ],
  [
    "a new alternative",
    { oneOf: [text] },
    { oneOf: [text, {}] },
    { outbound: "Inner has another alternative" },
  ],
  ["alternatives where there were none", {}, { anyOf: [text] }, { both: "Inner has alternatives" }],
  [
    "a new message",
    { oneOf: [{ $ref: "#/$defs/A" }] },
    { oneOf: [{ $ref: "#/$defs/B" }, { $ref: "#/$defs/A" }] },
    {},
  ],
];

describe.each(["inbound", "outbound"] as const)("on the side %s", (side) => {
  const union = side === "inbound" ? "InboundMessage" : "OutboundMessage";
  test.each(ROWS)("%s breaks what it must", (_name, older, newer, broken) => {
    const found = schemaChanges(documentOf(union, older), documentOf(union, newer));
    expect(found.broken).toEqual([broken.both ?? broken[side] ?? []].flat());
  });
});

test("a removed definition is broken, and new definitions, fields and values are added", () => {
  const older = { $defs: { A: fields({}), C: { enum: ["a"] }, Gone: {} } };
  const newer = { $defs: { A: fields({ a: text }), B: {}, C: { enum: ["b", "a"] } } };
  const added = ["A.a", "b", "B"];
  expect(schemaChanges(older, newer)).toEqual({ broken: ["Gone is gone"], added });
});
