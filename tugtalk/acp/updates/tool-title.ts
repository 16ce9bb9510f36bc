/** The title of a tool call for people. Pure. */
import { showInput } from "../../client/views/input-preview.ts";
import { pathIn } from "../../client/views/path-in.ts";
import { viewToolName } from "../../client/views/tool-name.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import type { Fields } from "../../src/base/json.ts";
import { kindOf } from "./tool-kinds.ts";

/**
 * One line: the name of the tool, and a summary of the input when it is known. A path in `dir` is relative.
 */
export function titleOf(dir: string, name: string, input?: Fields): string {
  const { label, server } = viewToolName(name);
  const tool = server === undefined ? label : `${label} (${server})`;
  const summary = input && summaryOf(name, input);
  if (summary === undefined || summary === "") return tool;
  // A command needs no name of its tool.
  return kindOf(name) === "execute" ? summary : `${tool} ${pathIn(dir, summary) ?? summary}`;
}

/** A change is named by its file: to show the call whole would compare all its lines. */
function summaryOf(name: string, input: Fields): string | undefined {
  const path = kindOf(name) === "edit" ? (input["file_path"] ?? input["notebook_path"]) : undefined;
  return typeof path === "string" ? showHidden(path) : showInput(name, input).summary;
}
