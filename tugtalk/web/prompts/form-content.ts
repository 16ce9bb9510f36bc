/** The content of a form of an MCP server, from the input of a person. Pure. */
import { entryIn, present, textOf, textsOf } from "../../client/claude-value.ts";
import type { FormField } from "../../client/prompt-models.ts";
import type { Draft } from "./prompt-form.ts";

/** The value of a field: a text, a list for several choices, a truth for a check box. */
export type FieldValue = string | boolean | readonly string[];

/** The typed value, or else the initial value that the server gives. */
export function fieldValue(field: FormField, draft: Draft): FieldValue {
  const value = entryIn(draft, field.name) ?? field.initial;
  switch (field.kind) {
    case "boolean":
      return value === true;
    case "choices":
      return textsOf(value);
    case "number":
    case "integer":
      return typeof value === "number" ? String(value) : (textOf(value) ?? "");
    case "text":
    case "choice":
      return textOf(value) ?? "";
  }
}

/** Why the content of the field cannot be sent; undefined if it can. */
export function problemOf(field: FormField, draft: Draft): string | undefined {
  const value = fieldValue(field, draft);
  if (typeof value === "boolean") return undefined;
  if (value.length === 0) return field.isRequired ? "This is required" : undefined;
  if (typeof value !== "string") return rangeProblem(field, value.length, "choices");
  switch (field.kind) {
    case "number":
    case "integer":
      return numberProblem(field, Number(value));
    case "text":
      return formatProblem(field, value) ?? rangeProblem(field, [...value].length, "characters");
    default:
      return undefined;
  }
}

function numberProblem(field: FormField, value: number): string | undefined {
  if (!Number.isFinite(value)) return "This is not a number";
  if (field.kind === "integer" && !Number.isInteger(value)) return "This is not a whole number";
  return rangeProblem(field, value, "");
}

function rangeProblem({ min, max }: FormField, size: number, unit: string): string | undefined {
  const amount = (limit: number) => (unit === "" ? `${limit}` : `${limit} ${unit}`);
  if (min !== undefined && size < min) return `At least ${amount(min)}`;
  if (max !== undefined && size > max) return `At most ${amount(max)}`;
  return undefined;
}

const EMAIL = /^[^\s@]+@[^\s@]+$/;

function formatProblem({ format }: FormField, text: string): string | undefined {
  switch (format) {
    case "email":
      return EMAIL.test(text) ? undefined : "This is not an email address";
    case "uri":
      return URL.canParse(text) ? undefined : "This is not an address such as https://example.com";
    case "date":
    case "date-time":
      return Number.isNaN(Date.parse(text)) ? "This is not a date" : undefined;
    default:
      return undefined;
  }
}

/** The values with the types that the server wants; fields that are left empty are left out. */
export function contentOf(fields: readonly FormField[], draft: Draft): Draft {
  return present(Object.fromEntries(fields.map((field) => [field.name, sentValue(field, draft)])));
}

function sentValue(field: FormField, draft: Draft): unknown {
  const value = fieldValue(field, draft);
  if (typeof value === "boolean") return value;
  if (value.length === 0) return undefined;
  if (field.kind === "number" || field.kind === "integer") return Number(value);
  if (field.format === "date-time") return new Date(String(value)).toISOString();
  return value;
}
