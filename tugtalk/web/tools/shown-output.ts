/** The result of a tool call in the form in which a person reads it. Pure. */

import type { ToolItem } from "../../client/transcript-models.ts";
import { NO_OUTPUT } from "../../client/views/tool-outputs.ts";
import { type ShownOutput, toolRow } from "../../client/views/tools.ts";
import { showHidden } from "../../client/views/visible-text.ts";

export function showOutput(item: ToolItem): ShownOutput {
  const { name, result } = item;
  const { output: read, showsErrors = false } = toolRow(name) ?? {};
  if (result === undefined) {
    const shown = read?.("", item);
    return shown?.kind === "tasks" ? shown : NO_OUTPUT;
  }
  if (result.isError && !showsErrors) return { kind: "error", text: withoutTags(result.output) };
  const text = showsErrors ? withoutTags(result.output) : result.output;
  return read?.(text, item) ?? plainOutput(result.output);
}

function plainOutput(output: string): ShownOutput {
  if (output === "") return NO_OUTPUT;
  const json = prettyJson(output);
  return json === undefined
    ? { kind: "terminal", text: output }
    : { kind: "json", text: showHidden(json) };
}

function prettyJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return undefined; // Text that begins like JSON.
  }
}

/** Claude marks errors for the model. */
function withoutTags(text: string): string {
  return text.replace(/<\/?(?:tool_use_error|system-reminder)>/g, "").trimEnd();
}
