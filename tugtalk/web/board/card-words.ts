/** Parts of a session in the short form of cards and lists. Pure. */
import { showHidden } from "../../client/views/visible-text.ts";

/** The last two names of a path. */
export function shortDir(dir: string): string {
  const names = dir.split("/").filter((name) => name !== "");
  return names.length === 0 ? dir : names.slice(-2).join("/");
}

/** Markdown on one line, without its most usual signs. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/^\s*(?:#{1,6}\s+|[-*>]\s+|```.*$)/gm, "")
    .replace(/\*\*|__|`/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** A session without a title has no message yet. */
export function titleWords(title: string): string {
  return title === "" ? "Untitled" : showHidden(title);
}
