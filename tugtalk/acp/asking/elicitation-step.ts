/** The elicitation of an MCP server: a form, or a page to visit. Pure. */
import type {
  CreateElicitationRequest,
  ElicitationPropertySchema,
  StringFormat,
} from "@agentclientprotocol/sdk";
import { acceptElicitation, refuseElicitation } from "../../client/answers.ts";
import { objectOf, present, textOf } from "../../client/claude-value.ts";
import type { ElicitationPrompt, FormField } from "../../client/prompt-models.ts";
import { viewFormFields } from "../../client/views/form-fields.ts";
import { stringsIn } from "../../src/base/json.ts";
import { fieldsStep, pageStep } from "./field-step.ts";
import { messageOf, type ServerForm, visitId } from "./server-form.ts";
import { type Audience, type FormEnds, formStep, type Step } from "./step.ts";

/** `visit` is the server's name of the visit to a page. */
export function elicitationStep(
  audience: Audience,
  prompt: ElicitationPrompt,
  visit: string,
): Step {
  const { requestedSchema, propertyOrder, url } = prompt;
  const asked = { ...prompt, fields: viewFormFields(requestedSchema, propertyOrder) };
  const { forms, urls } = audience.features;
  const ends = endsOf(asked);
  if (url !== undefined)
    return urls ? formStep(pageOf(audience, asked, visit), ends) : pageStep(audience, asked, ends);
  return forms ? formStep(formOf(audience, asked), ends) : fieldsStep(audience, asked, ends);
}

function endsOf({ requestId, url }: ElicitationPrompt): FormEnds {
  const id = { request_id: requestId };
  return {
    // A visit has no content.
    accept: (content) => ({
      answer: acceptElicitation(id, url === undefined ? content : undefined),
    }),
    decline: () => ({ answer: refuseElicitation(id, "decline") }),
    // A server gets no reason.
    refuse: () => ({ answer: refuseElicitation(id, "cancel") }),
  };
}

function pageOf(
  { sessionId }: Audience,
  asked: ElicitationPrompt,
  visit: string,
): CreateElicitationRequest {
  const { serverName, url = "" } = asked;
  const elicitationId = visitId(sessionId, serverName, visit);
  return { mode: "url", sessionId, message: messageOf(asked), url, elicitationId };
}

function formOf({ sessionId }: Audience, asked: ServerForm): CreateElicitationRequest {
  const { requestedSchema: schema, fields } = asked;
  const written = objectOf(schema?.["properties"]) ?? {};
  const properties = fields.map((field) => {
    const pattern = textOf(objectOf(written[field.name])?.["pattern"]);
    return [field.name, propertyOf(field, pattern)] as const;
  });
  const required = fields.flatMap(({ name, isRequired }) => (isRequired ? name : []));
  const requestedSchema = {
    ...{ type: "object", properties: Object.fromEntries(properties), required },
  } as const;
  return { mode: "form", sessionId, message: messageOf(asked), requestedSchema };
}

const FORMATS: ReadonlySet<string | undefined> = new Set<StringFormat>([
  ...(["email", "uri", "date", "date-time"] as const),
]);

/** Only the parts of a server's schema that the protocol has a form for. */
function propertyOf(field: FormField, pattern: string | undefined): ElicitationPropertySchema {
  const { label: title, description, kind, choices, initial, min, max } = field;
  const shown = { title, ...present({ description }) };
  const oneOf = choices.map(({ value, label }) => ({ const: value, title: label }));
  const text = present({ default: textOf(initial) });
  switch (kind) {
    case "choice":
      return { type: "string", ...shown, oneOf, ...text };
    case "choices":
      return {
        ...{ type: "array", ...shown, items: { anyOf: oneOf } },
        ...present({ minItems: countOf(min), maxItems: countOf(max) }),
        ...(Array.isArray(initial) && { default: stringsIn(initial) }),
      };
    case "boolean":
      return { type: kind, ...shown, ...(typeof initial === "boolean" && { default: initial }) };
    case "number":
    case "integer":
      return { type: kind, ...shown, ...numbersOf(field) };
    case "text":
      return {
        ...{ type: "string", ...shown, ...text },
        ...present({ pattern, minLength: countOf(min), maxLength: countOf(max) }),
        ...(isFormat(field.format) && { format: field.format }),
      };
  }
}

function numbersOf({ kind, initial, min, max }: FormField) {
  const fit = (value: unknown) =>
    typeof value === "number" && (kind === "number" || Number.isInteger(value)) ? value : undefined;
  return present({ minimum: fit(min), maximum: fit(max), default: fit(initial) });
}

function countOf(value: number | undefined): number | undefined {
  return value !== undefined && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function isFormat(format: string | undefined): format is StringFormat {
  return FORMATS.has(format);
}
