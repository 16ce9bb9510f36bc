/**
 * The JSON Schema 2020-12 document of the wire, built from the zod schemas. Inbound it is as strict as
 * the parser. Outbound it is open: further fields are valid, and so is any text where values are listed.
 */
import { z } from "zod";
import { type Fields, isJsonObject } from "../src/base/json.ts";
import { CONTROL_SUBTYPES } from "../src/messages/control-subtypes.ts";
import { inbound, NUL_FREE } from "../src/messages/message-schemas.ts";
import { NOTIFICATIONS } from "../src/messages/notifications.ts";
import { AskUserQuestionInput } from "../src/protocol-types.ts";
import { InboundMessage, OutboundMessage } from "../src/types.ts";
import { typeOf } from "./check-writer.ts";
import { EditToolResult, WriteToolResult } from "./tool-results.ts";

/** A JSON Schema while it is built. */
type Schema = Record<string, unknown>;
type Definitions = Record<string, Schema>;
type Override = (at: { zodSchema: z.core.$ZodType; jsonSchema: Schema }) => void;

/** The whole document, with its keys in a stable order. */
export function schemaDocument(): Fields {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "urn:tugtalk:ipc:2",
    title: "TugtalkMessage",
    description:
      "One line of the wire between a host and tugtalk, version 2: from the host (inbound) or to it (outbound).",
    anyOf: [referenceTo("InboundMessage"), referenceTo("OutboundMessage")],
    $defs: { ...inboundDefinitions(), ...outboundDefinitions() },
  };
}

/** Each control request as a message of its own. */
const CONTROLS = Object.entries(CONTROL_SUBTYPES).map(
  ([subtype, { description, fields, support }]) =>
    inbound("control", {
      subtype: z.literal(subtype).describe("The request."),
      ...fields.shape,
    }).meta({
      id: `Control${pascalCase(subtype)}`,
      description: `${description}${sinceText(support.has)}`,
    }),
);

/** Each kind of notification once, though several lines of Claude may lead to it. */
const NOTIFICATION_MESSAGES = new Map(
  Object.values(NOTIFICATIONS).map(({ name, sent }) => [name, sent]),
).values();

/** The messages whose definitions are not named after their types. */
const NAMES: Readonly<Record<string, string>> = {
  control: "ControlMessage",
  error: "ErrorMessage",
  permission_mode: "PermissionModeMessage",
  session_state: "SessionStateChanged",
  user_message: "UserMessageInput",
};

/** Shapes inside fields that Claude owns. */
const SHAPES = [AskUserQuestionInput, EditToolResult, WriteToolResult];

/** Holds no NUL, neither in a text nor in a key. */
const nulFree: Schema = {
  description: "Neither a text nor a key in it holds a NUL character.",
  pattern: "^[^\\u0000]*$",
  items: NUL_FREE.if,
  propertyNames: { pattern: "^[^\\u0000]*$" },
  additionalProperties: NUL_FREE.if,
};

function inboundDefinitions(): Definitions {
  nameDefinitions(InboundMessage.options);
  const definitions = definitionsOf(z.union([InboundMessage, ...CONTROLS]), "input", represent);
  // The parser looks the arguments up in a table, which zod cannot convert.
  const { ControlMessage, SessionOptions } = definitions;
  return {
    ...definitions,
    // Not among the other definitions, because it is no type.
    SessionOptions: { ...SessionOptions, $defs: { NulFree: nulFree } },
    ControlMessage: {
      description: ControlMessage?.["description"],
      oneOf: CONTROLS.map((control) => referenceTo(control.meta()?.id)),
    },
  };
}

function outboundDefinitions(): Definitions {
  const [own] = OutboundMessage.options;
  const messages = [...own.options, ...NOTIFICATION_MESSAGES];
  nameDefinitions(messages);
  const { OutboundMessage: _nested, ...definitions } = definitionsOf(
    z.union([...messages, ...SHAPES]),
    "output",
    (at) => {
      represent(at);
      open(at.jsonSchema);
    },
  );
  return {
    OutboundMessage: {
      description: OutboundMessage.description,
      oneOf: messages.map((message) => referenceTo(message.meta()?.id)),
    },
    ...definitions,
  };
}

/** Makes each message a definition of its own. */
function nameDefinitions(messages: readonly z.ZodType[]): void {
  for (const message of messages) {
    const type = typeOf(message) ?? "";
    message.register(z.globalRegistry, {
      ...message.meta(),
      id: NAMES[type] ?? pascalCase(type),
    });
  }
}

function referenceTo(name: string | undefined): Schema {
  return { $ref: `#/$defs/${name}` };
}

function definitionsOf(schema: z.ZodType, io: "input" | "output", override: Override): Definitions {
  const { $defs } = z.toJSONSchema(schema, { io, unrepresentable: "any", override });
  return $defs as Definitions;
}

/** Adds what zod cannot represent, and drops what says nothing. */
const represent: Override = ({ zodSchema, jsonSchema }) => {
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

/** Names a definition that a loose value has as a rule, so that generated types have its fields. */
function nameKnown(jsonSchema: Schema, name: string): void {
  const { known: _name, ...loose } = jsonSchema;
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
  jsonSchema["anyOf"] = [referenceTo(name), loose];
}

/** A field that must be absent is left out, and refused by a keyword that generators of types skip. */
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

/** Makes an enumeration and an object open. */
function open(jsonSchema: Schema): void {
  if (jsonSchema["additionalProperties"] === false) delete jsonSchema["additionalProperties"];
  const { enum: values } = jsonSchema;
  if (values === undefined) return;
  delete jsonSchema["enum"];
  delete jsonSchema["type"];
  jsonSchema["anyOf"] = [{ type: "string", enum: values }, { type: "string" }];
}

function pascalCase(name: string): string {
  return name
    .split("_")
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join("");
}

/** The oldest version of Claude that is known to have a request. 2.1.38 is the oldest one measured. */
function sinceText(version: string | undefined): string {
  return version === undefined || version === "2.1.38" ? "" : ` Since Claude ${version}.`;
}
