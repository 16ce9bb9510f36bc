/** The effect of a tool call, from its input alone, by kind of tool. Pure. */

import type { Fields } from "../claude-value.ts";
import type { NamedText } from "../prompt-models.ts";
import { type InputPreview, toolRow } from "./tools.ts";
import { firstLine, showHidden, showValue } from "./visible-text.ts";

/** The preview of one call. An input of an unexpected shape is shown field by field. */
export function viewInput(toolName: string, input: Fields): InputPreview {
  return showInput(toolName, input).preview;
}

/** The preview, and the same on one line. */
export function showInput(
  toolName: string,
  input: Fields,
): { readonly preview: InputPreview; readonly summary: string | undefined } {
  const shown = toolRow(toolName)?.input?.(input);
  const rest = viewFields(input, shown?.fields);
  if (shown !== undefined) return { preview: { body: shown.body, rest }, summary: shown.summary };
  // A list or an object says nothing on one line.
  const plain = rest.find(({ text }) => !/^[[{]/.test(text));
  const preview = { body: { kind: "fields" }, rest } as const;
  return { preview, summary: plain && firstLine(plain.text) };
}

/** The fields of an object in full, as texts, without the fields that are shown elsewhere. */
export function viewFields(input: Fields, shown: readonly string[] = []): NamedText[] {
  return Object.entries(input)
    .filter(([name]) => !shown.includes(name))
    .map(([name, value]) => ({ name: showHidden(name), text: showValue(value) }));
}
