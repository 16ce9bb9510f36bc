/** The form of an MCP server for a client without forms: options for one field after the other. Pure. */
import type { FormField } from "../../client/prompt-models.ts";
import type { Fields } from "../../src/base/json.ts";
import { textContent } from "../updates/text-content.ts";
import { messageOf, type ServerForm } from "./server-form.ts";
import {
  type Audience,
  type Choice,
  choiceStep,
  type FormEnds,
  type Options,
  pickStep,
  type Step,
  type Subject,
} from "./step.ts";

/** The form; no field that must be typed can be filled in. */
export function fieldsStep(audience: Audience, asked: ServerForm, ends: FormEnds): Step {
  const { fields, message } = asked;
  const initial = Object.fromEntries(
    fields.flatMap((field) => (field.initial === undefined ? [] : [[field.name, field.initial]])),
  );
  const typed = fields.filter(
    ({ name, isRequired, ...field }) =>
      isRequired && !Object.hasOwn(initial, name) && optionsOf(field) === undefined,
  );
  const shown = fields.filter((field) => optionsOf(field) !== undefined);
  if (typed.length === 0 && shown.length > 0)
    return fieldStep({ audience, asked, ends }, shown, initial);
  const names = typed.map(({ label }) => label).join(", ");
  const choices =
    typed.length === 0
      ? [accepting("Accept", () => ends.accept(initial)), declining(ends)]
      : [declining(ends, `Decline: there is no form here to type this in: ${names}`)];
  return choiceStep(subjectOf(audience, asked, message), choices, ends.refuse);
}

/** A page to visit. */
export function pageStep(audience: Audience, asked: ServerForm, ends: FormEnds): Step {
  const { message, url = "" } = asked;
  const visited = accepting("I have opened the page", () => ends.accept({}));
  const subject = subjectOf(audience, asked, `${message}\n\n${url}`);
  return choiceStep(subject, [visited, declining(ends)], ends.refuse);
}

type Form = {
  readonly audience: Audience;
  readonly asked: ServerForm;
  readonly ends: FormEnds;
};

function fieldStep(form: Form, [field, ...rest]: readonly FormField[], content: Fields): Step {
  const { audience, asked, ends } = form;
  if (field === undefined) return ends.accept(content);
  const options = optionsOf(field) ?? { options: [] };
  const { name, label, description, initial, isRequired } = field;
  const text = description === undefined ? label : `${label}\n\n${description}`;
  const skip: Choice = {
    ...{ optionId: "skip", kind: "allow_once" },
    name: initial === undefined ? "Skip" : `Keep: ${[initial].flat().join(", ")}`,
    next: () => fieldStep(form, rest, content),
  };
  const isNeeded = isRequired && initial === undefined;
  const picked = (values: readonly string[]) =>
    fieldStep(form, rest, { ...content, [name]: fieldValue(field, values) });
  const others = [...(isNeeded ? [] : [skip]), declining(ends)];
  const subject = subjectOf(audience, asked, text);
  return pickStep(subject, options, { picked, others, refuse: ends.refuse });
}

const YES = "yes";
const YES_OR_NO = [
  { value: YES, label: "Yes" },
  { value: "no", label: "No" },
] as const;

/** Undefined for a field that is typed. */
function optionsOf({
  kind,
  choices,
  min,
  max,
}: Pick<FormField, "kind" | "choices" | "min" | "max">): Options | undefined {
  if (kind === "choice") return { options: choices };
  if (kind === "choices") return { options: choices, several: { min, max } };
  return kind === "boolean" ? { options: YES_OR_NO } : undefined;
}

function fieldValue({ kind }: FormField, values: readonly string[]): unknown {
  if (kind === "choices") return values;
  return kind === "boolean" ? values[0] === YES : values[0];
}

function subjectOf({ sessionId }: Audience, asked: ServerForm, text: string): Subject {
  const { toolUseId, requestId } = asked;
  const toolCall = { toolCallId: toolUseId ?? requestId, title: messageOf(asked) };
  return { sessionId, toolCall: { ...toolCall, kind: "other", content: textContent(text) } };
}

function accepting(name: string, next: () => Step): Choice {
  return { optionId: "accept", name, kind: "allow_once", next };
}

function declining(ends: FormEnds, name = "Decline"): Choice {
  return { optionId: "decline", name, kind: "reject_once", next: ends.decline };
}
