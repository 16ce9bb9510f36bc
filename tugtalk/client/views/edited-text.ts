/** A text after the replacements of a tool call. Pure. */

import { type Fields, objectOf, objectsOf, textOf } from "../claude-value.ts";
import type { ToolItem } from "../transcript-models.ts";

/** The text after the call. Undefined if the text lacks a passage that the call replaces. */
export function editedText(
  text: string,
  { input = {}, structured }: Pick<ToolItem, "input" | "structured">,
): string | undefined {
  const result = objectOf(structured) ?? {};
  const edits = objectsOf(result["edits"] ?? input["edits"]);
  // A person may have changed the edit before it was made: the result has the final edit.
  const single = { ...renamed(input), ...(textOf(result["newString"]) !== undefined && result) };
  return (edits.length > 0 ? edits.map(renamed) : [single]).reduce<string | undefined>(
    (changed, edit) => (changed === undefined ? undefined : replaced(changed, edit)),
    text,
  );
}

/** The input under the names of the result. */
function renamed({ old_string, new_string, replace_all }: Fields): Fields {
  return { oldString: old_string, newString: new_string, replaceAll: replace_all };
}

function replaced(text: string, { oldString, newString, replaceAll }: Fields): string | undefined {
  if (typeof oldString !== "string" || typeof newString !== "string") return undefined;
  if (oldString === "") return text === "" ? newString : undefined;
  const isLineRemoved = newString === "" && text.includes(`${oldString}\n`);
  // Claude removes the end of a line with the line.
  const sought = isLineRemoved && !oldString.endsWith("\n") ? `${oldString}\n` : oldString;
  const [first = "", ...rest] = text.split(sought);
  if (rest.length === 0) return undefined;
  if (replaceAll === true) return [first, ...rest].join(newString);
  return first + newString + rest.join(sought);
}
