/** The generated parts of the pages about the wire. Pure. */
import { IGNORED_KINDS } from "../tugtalk/replay/ignored-kinds.ts";
import { CONTROL_SUBTYPES } from "../tugtalk/src/messages/control-subtypes.ts";
import { MAPPED } from "../tugtalk/testing/captures/mapped-kinds.ts";
import { code, type Row, table } from "./markdown-tables.ts";
import { comparisonCounts, peerTable } from "./protocol-figures.ts";

/** The keywords of a JSON Schema that the tables show. */
export type Schema = {
  readonly description?: string;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: string | number;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};

/** All definitions of the wire, by name. */
export type Definitions = Readonly<Record<string, Schema>>;

/** The sources of the generated parts, except those that this file imports. */
export type Sources = {
  readonly definitions: Definitions;
  /** `roadmap/performance.md`, which the benchmark writes. */
  readonly performance: string;
  /** `roadmap/acp.md`, which the comparison writes. */
  readonly comparison: string;
};

/** The fields of every message, which are described once. */
const COMMON = [
  ...["type", "id", "channel", "ipc_version", "seq"],
  ...["turn_id", "parent_tool_use_id", "in_reply_to"],
];

/** Definitions with a page of their own. */
const PAGES: Readonly<Record<string, string>> = { SessionOptions: "options.md" };

/** The beginning of a reference to a definition. */
const PREFIX = "#/$defs/";

const MARKED = /(<!-- generated: (\w+) -->\n).*?(<!-- end -->)/gs;

/** The document with every part between markers regenerated. */
export function withTables(document: string, sources: Sources): string {
  return document.replaceAll(MARKED, (_part, begin: string, name: string, end: string) => {
    const text = partFor(name, sources);
    return `${begin}${text === "" ? "" : `\n${text}\n\n`}${end}`;
  });
}

function partFor(name: string, sources: Sources): string {
  const part = PARTS[name];
  if (part !== undefined) return part(sources);
  const { definitions } = sources;
  // Each of its requests has a definition of its own.
  if (name === "control") return definitions["ControlMessage"]?.description ?? "";
  const message = messageOf(name, definitions);
  if (message === undefined) throw new Error(`schema.json has no message ${name}`);
  return described(message, fieldTable(message, definitions, COMMON));
}

/** The parts that belong to no single message. */
const PARTS: Readonly<Record<string, (sources: Sources) => string>> = {
  common: ({ definitions }) => commonTable(definitions),
  shapes: ({ definitions }) => shapes(definitions),
  options: ({ definitions }) => optionTable(definitions),
  control_requests: controlTable,
  kinds: kindTable,
  ignored_kinds: ignoredTable,
  peers: ({ performance }) => peerTable(performance),
  comparison: ({ comparison }) => comparisonCounts(comparison),
};

function messageOf(type: string, definitions: Definitions): Schema | undefined {
  return Object.values(definitions).find(({ properties }) => properties?.["type"]?.const === type);
}

/** The fields of every outbound message, from one of them. */
function commonTable(definitions: Definitions): string {
  const { properties = {}, ...message } = messageOf("session_state", definitions) ?? {};
  const { const: _name, ...type } = properties["type"] ?? {};
  const own = Object.keys(properties).filter((name) => !COMMON.includes(name));
  return fieldTable({ ...message, properties: { ...properties, type } }, definitions, own);
}

function optionTable(definitions: Definitions): string {
  const { SessionOptions = {} } = definitions;
  return described(SessionOptions, fieldTable(SessionOptions, definitions));
}

/** A heading and a table for each definition that messages refer to. */
function shapes(definitions: Definitions): string {
  return Object.entries(definitions)
    .filter(([name, definition]) => hasTable(name, definition))
    .map(([name, definition]) =>
      described(definition, fieldTable(definition, definitions), `## ${name}`),
    )
    .join("\n\n");
}

function described({ description = "" }: Schema, table: string, heading = ""): string {
  return [heading, description, table].filter((part) => part !== "").join("\n\n");
}

function hasTable(name: string, definition: Schema): boolean {
  if (Object.hasOwn(PAGES, name)) return false;
  const variants = variantsOf(definition);
  const isMessage = variants.some(({ properties, $ref }) => isMessageFields(properties) || $ref);
  return !isMessage && variants.some(({ properties }) => properties !== undefined);
}

function isMessageFields(properties: Schema["properties"]): boolean {
  return ["id", "seq"].some((name) => properties?.[name] !== undefined);
}

/** The forms that an object may have. */
function variantsOf(schema: Schema): readonly Schema[] {
  const choices = schema.oneOf ?? schema.anyOf;
  return choices === undefined ? [schema] : choices.flatMap(variantsOf);
}

/** A row for each field; the variants of an object are merged. */
function fieldTable(
  schema: Schema,
  definitions: Definitions,
  left: readonly string[] = [],
): string {
  const variants = variantsOf(schema).filter(({ properties }) => properties !== undefined);
  const names = new Set(variants.flatMap(({ properties }) => Object.keys(properties ?? {})));
  const rows = [...names]
    .filter((name) => !left.includes(name) || isNeeded(name, schema, left))
    .flatMap((name) => [
      fieldRow(name, variants, definitions),
      ...innerRows(name, variants, definitions),
    ]);
  return rows.length === 0 ? "" : table(["field", "type", "meaning"], rows);
}

/** The fields of the objects in a field, if these have no definition of their own. */
function innerRows(name: string, variants: readonly Schema[], definitions: Definitions): Row[] {
  const [field] = variants.flatMap(({ properties }) => properties?.[name] ?? []);
  const inner = [field, field?.items, ...(field?.anyOf ?? [])].find((one) => one?.properties);
  if (inner?.properties === undefined) return [];
  const path = `${name}${field?.items === undefined ? "" : "[]"}.`;
  return Object.keys(inner.properties).map((key) => fieldRow(key, [inner], definitions, path));
}

/** Whether a common field is needed here although it is optional elsewhere. */
function isNeeded(name: string, { required }: Schema, left: readonly string[]): boolean {
  return left === COMMON && name === "turn_id" && required?.includes(name) === true;
}

function fieldRow(
  name: string,
  variants: readonly Schema[],
  definitions: Definitions,
  path = "",
): Row {
  const having = variants.filter(({ properties }) => properties?.[name] !== undefined);
  const fields = having.flatMap(({ properties }) => properties?.[name] ?? []);
  const types = typesOf(fields, definitions);
  const isRequired = variants.every(({ required }) => required?.includes(name) === true);
  const meanings = fields.map((field) => meaningOf(field, definitions));
  const isOne = unique(meanings).length === 1;
  return [
    code(`${path}${name}`),
    `${types.join(", ")}${isRequired ? "" : ", optional"}`,
    isOne
      ? (meanings[0] ?? "")
      : meanings.map((text, at) => `${labelOf(having[at])}${text}`).join(" "),
  ];
}

/** The types of a field. If values are listed, any other text comes from a newer version. */
function typesOf(fields: readonly Schema[], definitions: Definitions): readonly string[] {
  const isListed = fields.some((field) => field.const !== undefined);
  const types = unique(fields.map((field) => typeOf(field, definitions)));
  return isListed ? types.filter((type) => type !== "string") : types;
}

function meaningOf({ description, $ref }: Schema, definitions: Definitions): string {
  const text = description ?? definitions[$ref?.replace(PREFIX, "") ?? ""]?.description ?? "";
  return text.replaceAll(/`([A-Z]\w+)`/g, (named, name: string) =>
    definitions[name] === undefined ? named : referenceTo(name, definitions),
  );
}

/** The label of a variant: its first fixed value. */
function labelOf(variant: Schema | undefined): string {
  const fixed = Object.values(variant?.properties ?? {}).find((field) => field.const !== undefined);
  return fixed?.const === undefined ? "" : `${code(fixed.const)}: `;
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** The type of a field in words. */
function typeOf(schema: Schema, definitions: Definitions): string {
  const { $ref, const: value, enum: values, items, additionalProperties } = schema;
  if ($ref !== undefined) return referenceTo($ref.replace(PREFIX, ""), definitions);
  if (value !== undefined) return code(value);
  if (values !== undefined) return values.map(code).join(", ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choiceOf(choices, definitions);
  if (schema.type === "array") return `array of ${items ? typeOf(items, definitions) : "any"}`;
  if (typeof additionalProperties === "object")
    return `object of ${typeOf(additionalProperties, definitions)}`;
  return scalarOf(schema);
}

/** The type of a choice. If any text is allowed beside listed values, only the listed ones are shown. */
function choiceOf(choices: readonly Schema[], definitions: Definitions): string {
  const [known, ...others] = choices;
  const isOpen = known?.enum !== undefined && others.every(({ type }) => type === "string");
  const shown = isOpen ? [known] : choices;
  return unique(shown.map((choice) => typeOf(choice, definitions))).join(" or ");
}

function referenceTo(name: string, definitions: Definitions): string {
  const definition = definitions[name] ?? {};
  const page = PAGES[name];
  if (page !== undefined) return `[${name}](${page})`;
  return hasTable(name, definition)
    ? `[${name}](shapes.md#${name.toLowerCase()})`
    : typeOf(definition, definitions);
}

function scalarOf({ type, format, minimum, maximum }: Schema): string {
  if (typeof type === "object") return type.join(" or ");
  if (format === "uuid") return "UUID";
  if (type !== "integer") return type ?? "any";
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return isBounded ? `whole number, ${minimum ?? 1} to ${maximum}` : "whole number";
}

type ControlRequest = (typeof CONTROL_SUBTYPES)[string];

/** The requests of `control`, with their arguments. */
function controlTable(): string {
  const rows = Object.entries(CONTROL_SUBTYPES).map(([subtype, request]) => [
    code(subtype),
    argumentsOf(request),
    request.description,
    measuredSince(request),
    `${request.timeoutMs / 1000} s`,
  ]);
  return table(["subtype", "arguments", "what it does", "first measured version", "time"], rows);
}

function argumentsOf({ fields }: ControlRequest): string {
  const names = Object.entries(fields.shape).map(([name, schema]) =>
    code(schema.safeParse(undefined).success ? `${name}?` : name),
  );
  return names.join(" ") || "none";
}

function measuredSince({ support: { has, lacks } }: ControlRequest): string {
  return has ?? (lacks === undefined ? "not tried" : "none measured");
}

/** Every kind of line that leads to messages, with the types of these. */
function kindTable(): string {
  const rows = Object.entries(MAPPED).map(([kind, types]) => [
    code(kind),
    types.map(code).join(", "),
  ]);
  return table(["kind", "outbound"], rows);
}

/** Every kind of line that leads to no message; a bracket after it names the case. */
function ignoredTable(): string {
  const rows = Object.entries(IGNORED_KINDS).map(([kind, reason]) => [
    kind.replace(/^[^ ]+/, code),
    reason,
  ]);
  return table(["kind", "why it means nothing to a host"], rows);
}
