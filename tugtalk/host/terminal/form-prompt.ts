/** What an MCP server asks the user for: a form, field by field, or a page to open. Pure. */
import { acceptElicitation, type ElicitationRequest, refuse } from "../../client/answers.ts";
import { viewFormFields } from "../../client/views/form-fields.ts";
import type { FormField } from "../../src/messages/prompt-models.ts";
import { type Line, line } from "./comfort/terminal-text.ts";
import { answered, type Prompt, type PromptStep, parseNumbers, parseYesNo } from "./prompt-step.ts";

type Content = Readonly<Record<string, unknown>>;

/** Asks first whether to answer at all, then for each field. */
export function formPrompt(request: ElicitationRequest): Prompt {
  const { mcp_server_name, message, url } = request;
  const fields = viewFormFields(request.requested_schema);
  const ask = url === undefined ? "Do you answer? y / n" : "Do you agree to open it? y / n";
  return {
    lines: [
      line("ask", `The MCP server ${mcp_server_name} asks: ${message}`),
      ...(url === undefined ? [] : [line("plain", `  page: ${url}`)]),
      ...fields.map((field) => line("plain", `  ${formatTitle(field)}`)),
      line("ask", ask),
    ],
    answer: (input) => {
      const isYes = parseYesNo(input);
      if (isYes === undefined) return { kind: "unclear", hint: ask };
      return isYes ? nextStep(request, fields, {}) : answered(refuse(request));
    },
  };
}

function nextStep(
  request: ElicitationRequest,
  [asked, ...others]: readonly FormField[],
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
      const value = parseField(asked, text);
      if (value === undefined) return { kind: "unclear", hint: describeExpected(asked) };
      return nextStep(request, others, { ...content, [asked.name]: value });
    },
  };
  return { kind: "next", prompt };
}

function formatTitle({ label, description }: FormField): string {
  return `${label}${description === undefined ? "" : `: ${description}`}`;
}

function formatField(field: FormField): Line[] {
  const choices = field.choices.map(({ label }, index) =>
    line("plain", `  ${index + 1}. ${label}`),
  );
  return [line("ask", formatTitle(field)), ...choices, line("ask", describeExpected(field))];
}

function describeExpected(field: FormField): string {
  const optional = field.isRequired ? "" : ", or an empty line to leave it out";
  return `Answer: ${describeKind(field)}${optional}`;
}

function describeKind({ kind, choices }: FormField): string {
  switch (kind) {
    case "choices":
      return `numbers (1 to ${choices.length})`;
    case "choice":
      return `a number (1 to ${choices.length})`;
    case "boolean":
      return "y / n";
    case "integer":
      return "a whole number";
    case "number":
      return "a number";
    case "text":
      return "a text";
  }
}

/** The value that a line gives to a field. Nothing: it fits none. */
function parseField({ kind, choices }: FormField, text: string): unknown {
  switch (kind) {
    case "choices":
      return parseNumbers(text, choices)?.map(({ value }) => value);
    case "choice": {
      const chosen = parseNumbers(text, choices);
      return chosen?.length === 1 ? chosen[0]?.value : undefined;
    }
    case "boolean":
      return parseYesNo(text);
    case "text":
      return text === "" ? undefined : text;
    default:
      return parseNumber(text, kind === "integer");
  }
}

function parseNumber(text: string, isWhole: boolean): number | undefined {
  const number = text === "" ? Number.NaN : Number(text);
  return (isWhole ? Number.isInteger(number) : Number.isFinite(number)) ? number : undefined;
}
