/** Texts as parts of a Markdown file: escaped, in code, quoted, closed. Pure. */
import { showHidden } from "../../client/views/visible-text.ts";

/** Characters with a meaning within a line. Between letters `_` has none. */
const MARKUP = /[\\`*[\]<>&~|#$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g;

/** A text without Markdown of its own, in one line. */
export function plain(text: string): string {
  return showHidden(oneLine(text)).replace(MARKUP, "\\$&");
}

/** A text as code, in one line. */
export function code(text: string): string {
  const line = showHidden(oneLine(text)) || "(empty)";
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const mark = "`".repeat(longest + 1);
  const space = longest === 0 ? "" : " ";
  return `${mark}${space}${line}${space}${mark}`;
}

/** A block of code; its fence is longer than any in the text. */
export function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

export function json(value: unknown): string {
  return fenced(JSON.stringify(value, undefined, 2) ?? "undefined", "json");
}

export function quoted(text: string): string {
  return text.trimEnd().replace(/^/gm, "> ").replace(/^> $/gm, ">");
}

export function blocks(texts: readonly string[]): string {
  return `${texts.map((text) => text.trimEnd()).join("\n\n")}\n`;
}

/** Beginnings of HTML that lasts to the end of the file if it is not closed. */
const ENDLESS_HTML = /^( {0,3})<(?=script|pre|style|textarea|!|\?)/i;

/** A text as Markdown, followed by the ends of all that it has begun. */
export function closed(text: string): string {
  let fence = "";
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [, mark = "", rest = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
      if (fence !== "") {
        const isEnd = mark.startsWith(fence) && rest.trim() === "";
        if (isEnd) fence = "";
        return line;
      }
      if (mark !== "" && !(mark.startsWith("`") && rest.includes("`"))) fence = mark;
      return line.replace(ENDLESS_HTML, "$1\\<");
    });
  return [...lines, ...(fence === "" ? [] : [fence])].join("\n");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
