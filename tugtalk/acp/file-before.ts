/** The text of a file that a tool call is about to read or change, as the file stands. */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Before } from "./updates/file-diff.ts";
import { kindOf } from "./updates/tool-kinds.ts";
import type { MessageOf } from "./updates/update-state.ts";

/** A larger file has no diff before the call has run. */
const MAX_BYTES = 1024 * 1024;

/** For a call, or the question whether it may run. Undefined for files that are too large or no texts. */
export function fileBefore(
  dir: string,
  message: MessageOf<"tool_use" | "control_request_forward">,
): Before {
  if (!["read", "edit"].includes(kindOf(message.tool_name))) return undefined;
  const path = message.input?.["file_path"];
  if (typeof path !== "string") return undefined;
  try {
    return textOf(resolve(dir, path));
  } catch {
    return undefined; // Not readable, or no text.
  }
}

/** A pipe or a device would never end. Null where there is no file: most calls write a new one. */
function textOf(path: string): Before {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (!stat.isFile() || stat.size > MAX_BYTES) return undefined;
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
    readFileSync(path),
  );
  return text.includes("\0") ? undefined : text;
}
