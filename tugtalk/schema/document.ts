/**
 * The JSON Schema 2020-12 document of the wire, built from the zod schemas. Inbound it is as strict as the
 * parser. Outbound it is open: further fields are valid, and so is any text beside listed values.
 */
import { z } from "zod";
import type { Fields } from "../src/base/json.ts";
import { CONTROL_SUBTYPES } from "../src/messages/control-subtypes.ts";
import { inbound, NUL_FREE } from "../src/messages/message-schemas.ts";
import { NOTIFICATIONS } from "../src/messages/notifications.ts";
import { AskUserQuestionInput } from "../src/protocol-types.ts";
import { InboundMessage, OutboundMessage } from "../src/types.ts";
import { typeOf } from "./check-writer.ts";
import {
  type Definitions,
  definitionsOf,
  open,
  referenceTo,
  represent,
  type Schema,
} from "./json-schema.ts";
import { EditToolResult, WriteToolResult } from "./tool-results.ts";

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

/** The messages whose definitions have other names than their types. */
const NAMES: Readonly<Record<string, string>> = {
  control: "ControlMessage",
  error: "ErrorMessage",
  permission_mode: "PermissionModeMessage",
  session_state: "SessionStateChanged",
  user_message: "UserMessageInput",
};

/** Shapes inside fields that Claude owns. */
const SHAPES = [AskUserQuestionInput, EditToolResult, WriteToolResult];

/** Allows no NUL, neither in a text nor in a key. */
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

function pascalCase(name: string): string {
  return name
    .split("_")
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join("");
}

/** The oldest version of Claude that is known to have a request. 2.1.38 is the oldest measured one. */
function sinceText(version: string | undefined): string {
  return version === undefined || version === "2.1.38" ? "" : ` Since Claude ${version}.`;
}
