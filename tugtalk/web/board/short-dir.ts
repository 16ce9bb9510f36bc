/** A folder in few words. */
import { showHidden } from "../../client/views/visible-text.ts";

/** The last two names of a path. */
export function shortDir(dir: string): string {
  const names = showHidden(dir)
    .split("/")
    .filter((name) => name !== "");
  return names.length === 0 ? showHidden(dir) : names.slice(-2).join("/");
}
