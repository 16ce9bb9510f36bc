/** The fields of a form, from the JSON schema that an MCP server sends. Pure. */

import {
  type Fields,
  numberIn,
  objectOf,
  objectsOf,
  present,
  textOf,
  textsOf,
} from "../claude-value.ts";
import type { FormField } from "../prompt-models.ts";

/** The fields in the order of `order`, then the others as they come. */
export function viewFormFields(schema: unknown, order: readonly string[] = []): FormField[] {
  const properties = Object.entries(objectOf(objectOf(schema)?.["properties"]) ?? {});
  const required = textsOf(objectOf(schema)?.["required"]);
  const fields = properties.map(([name, field]) =>
    fieldOf(name, objectOf(field) ?? {}, required.includes(name)),
  );
  const place = ({ name }: FormField) =>
    order.includes(name) ? order.indexOf(name) : order.length;
  return fields.sort((one, other) => place(one) - place(other));
}

function fieldOf(name: string, field: Fields, isRequired: boolean): FormField {
  const choices = choicesOf(objectOf(field["items"]) ?? field);
  return {
    name,
    label: textOf(field["title"]) ?? name,
    kind: kindOf(field, choices.length > 0),
    isRequired,
    choices,
    ...present({
      description: textOf(field["description"]),
      initial: field["default"],
      format: textOf(field["format"]),
      min: numberIn(field, "minimum", "minLength", "minItems"),
      max: numberIn(field, "maximum", "maxLength", "maxItems"),
    }),
  };
}

function kindOf({ type }: Fields, hasChoices: boolean): FormField["kind"] {
  if (hasChoices) return type === "array" ? "choices" : "choice";
  return type === "number" || type === "integer" || type === "boolean" ? type : "text";
}

/** The values to choose from, with their labels; none for a free field. */
function choicesOf(field: Fields): FormField["choices"] {
  const titled = objectsOf(field["oneOf"] ?? field["anyOf"]).flatMap(({ const: value, title }) =>
    typeof value === "string" ? [{ value, label: textOf(title) ?? value }] : [],
  );
  if (titled.length > 0) return titled;
  const labels = textsOf(field["enumNames"]);
  return textsOf(field["enum"]).map((value, index) => ({ value, label: labels[index] ?? value }));
}
