/** What a tool call would do, from its input alone, by kind of tool. Pure. */
import type { InputPreview, NamedText } from "../../src/messages/prompt-models.ts";
import type { Fields } from "../claude-value.ts";
import type { ShownInput } from "./tool-inputs.ts";
import { toolRow } from "./tools.ts";
import { showHidden, showValue } from "./visible-text.ts";

const NOTHING: ShownInput = { body: { kind: "fields" }, fields: [] };

/** The preview of one call. An input of an unexpected shape is shown field by field. */
export function viewInput(toolName: string, input: Fields): InputPreview {
  const { body, fields } = toolRow(toolName)?.input?.(input) ?? NOTHING;
  return { body, rest: viewFields(input, fields) };
}

/** The fields of an object in full, as texts, but for those that are shown elsewhere. */
export function viewFields(input: Fields, shown: readonly string[] = []): NamedText[] {
  return Object.entries(input)
    .filter(([name]) => !shown.includes(name))
    .map(([name, value]) => ({ name: showHidden(name), text: showValue(value) }));
}
