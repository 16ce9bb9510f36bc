/** What an MCP server asks the user for: a form, field by field, or a page to open. Pure. */
import { z } from "zod";
import { acceptElicitation, type ElicitationRequest, refuse } from "../client/answers.ts";
import { type Line, line } from "./comfort/terminal-text.ts";
import { answered, type Prompt, type PromptStep, parseNumbers, parseYesNo } from "./prompt-step.ts";

const Choice = z.looseObject({ const: z.string(), title: z.string().optional() });
const Choices = z.looseObject({
  enum: z.array(z.string()).optional(),
  enumNames: z.array(z.string()).optional(),
  oneOf: z.array(Choice).optional(),
  anyOf: z.array(Choice).optional(),
});

/** The kinds of field that MCP allows: texts, numbers, yes or no, and one or several choices. */
const Field = Choices.extend({
  type: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  items: Choices.optional(),
});
type Field = z.infer<typeof Field>;

const FormSchema = z.looseObject({
  properties: z.record(z.string(), Field),
  required: z.array(z.string()).optional(),
});

type NamedField = { readonly name: string; readonly field: Field; readonly isRequired: boolean };
type Content = Readonly<Record<string, unknown>>;

/** Asks first whether to answer at all, then for each field. */
export function formPrompt(request: ElicitationRequest): Prompt {
  const { mcp_server_name, message, url } = request;
  const fields = fieldsOf(request);
  const ask = url === undefined ? "Do you answer? y / n" : "Do you agree to open it? y / n";
  return {
    lines: [
      line("ask", `The MCP server ${mcp_server_name} asks: ${message}`),
      ...(url === undefined ? [] : [line("plain", `  page: ${url}`)]),
      ...fields.map(({ name, field }) => line("plain", `  ${titleOf(name, field)}`)),
      line("ask", ask),
    ],
    answer: (input) => {
      const isYes = parseYesNo(input);
      if (isYes === undefined) return { kind: "unclear", hint: ask };
      return isYes ? nextStep(request, fields, {}) : answered(refuse(request));
    },
  };
}

function fieldsOf({ requested_schema }: ElicitationRequest): NamedField[] {
  const schema = FormSchema.safeParse(requested_schema).data;
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => {
    return { name, field, isRequired: schema?.required?.includes(name) === true };
  });
}

function nextStep(
  request: ElicitationRequest,
  [asked, ...others]: readonly NamedField[],
  content: Content,
): PromptStep {
  if (asked === undefined) {
    // A page has no data; a form without fields gives an empty object.
    return answered(acceptElicitation(request, request.mode === "url" ? undefined : content));
  }
  const prompt: Prompt = {
    lines: formatField(asked),
    answer: (input) => {
      const text = input.trim();
      if (text === "" && !asked.isRequired) return nextStep(request, others, content);
      const value = parseField(asked.field, text);
      if (value === undefined) return { kind: "unclear", hint: describeExpected(asked) };
      return nextStep(request, others, { ...content, [asked.name]: value });
    },
  };
  return { kind: "next", prompt };
}

function titleOf(name: string, { title, description }: Field): string {
  return `${title ?? name}${description === undefined ? "" : `: ${description}`}`;
}

function formatField(named: NamedField): Line[] {
  const choices = choicesOf(named.field).map(({ title }, index) =>
    line("plain", `  ${index + 1}. ${title}`),
  );
  const title = line("ask", titleOf(named.name, named.field));
  return [title, ...choices, line("ask", describeExpected(named))];
}

function describeExpected({ field, isRequired }: NamedField): string {
  const optional = isRequired ? "" : ", or an empty line to leave it out";
  return `Answer: ${describeKind(field)}${optional}`;
}

function describeKind(field: Field): string {
  const { length } = choicesOf(field);
  if (length > 0) return `${field.type === "array" ? "numbers" : "a number"} (1 to ${length})`;
  if (field.type === "boolean") return "y / n";
  if (field.type === "integer") return "a whole number";
  return field.type === "number" ? "a number" : "a text";
}

/** The value that a line gives to a field. Nothing: it fits none. */
function parseField(field: Field, text: string): unknown {
  const choices = choicesOf(field);
  if (choices.length > 0) {
    const values = parseNumbers(text, choices)?.map(({ value }) => value);
    if (field.type === "array") return values;
    return values?.length === 1 ? values[0] : undefined;
  }
  if (field.type === "boolean") return parseYesNo(text);
  if (field.type !== "number" && field.type !== "integer") return text === "" ? undefined : text;
  const number = text === "" ? Number.NaN : Number(text);
  const fits = field.type === "integer" ? Number.isInteger(number) : Number.isFinite(number);
  return fits ? number : undefined;
}

/** The values to choose from, with what they are called; none for a free field. */
function choicesOf(field: Field): { value: string; title: string }[] {
  const { enum: values, enumNames, oneOf, anyOf } = field.items ?? field;
  const titled = oneOf ?? anyOf;
  if (titled !== undefined) {
    return titled.map(({ const: value, title }) => ({ value, title: title ?? value }));
  }
  return (values ?? []).map((value, index) => ({ value, title: enumNames?.[index] ?? value }));
}
