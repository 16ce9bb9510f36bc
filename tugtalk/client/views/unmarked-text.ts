/** Markdown as one line of plain text, for where there is no room for more. Pure. */

/** Signs at the beginning of a line, and lines that are nothing else. */
const LINE_SIGNS =
  /^[ \t]*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ x]\]\s)?|```.*$|[-*_=]{3,}\s*$|\|?[ :|-]*-{2}[ :|-]*$)/gm;

/** `[text](address)`, of which the end may be cut off, and images. */
const LINK = /!?\[([^\]\n]*)\](?:\([^)\n]*(?:\)|$)|\[[^\]\n]*\])/g;

/** The marks around words: between blanks a mark is a sign of its own. */
const EMPHASIS = /(?<![\w*])[*_](?=[^\s*_])|(?<=[^\s*_])[*_](?![\w*])/g;

/** Markdown on one line, without its signs. */
export function unmarkedText(markdown: string): string {
  return markdown
    .replace(LINE_SIGNS, "")
    .replace(LINK, "$1")
    .replace(/\*\*|__|~~|`/g, "")
    .replace(EMPHASIS, "")
    .replace(/^\s*\||\|\s*$/gm, "")
    .replace(/\s+\|\s+/g, " · ")
    .replace(/\s+/g, " ")
    .trim();
}
