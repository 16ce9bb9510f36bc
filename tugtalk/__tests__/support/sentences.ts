/** The sentences of a document of Markdown, and how long they are. */

/**
 * The sentences of paragraphs, list items, headings and the cells of tables: without code, comments and
 * the figures that a benchmark writes.
 */
export function sentencesOf(markdown: string): string[] {
  return markdown
    .replaceAll(/^(```|~~~).*?^\1$/gms, "\n")
    .replaceAll(/<!-- measured -->.*?<!-- \/measured -->/gs, "\n")
    .replaceAll(/<!--.*?-->/gs, "\n")
    .replaceAll(/^ *<.*$/gm, "\n")
    .replaceAll(/^ *\|.*$/gm, (row) => row.replaceAll(/(?<!\\)\||<br>/g, "\n\n"))
    .replaceAll(/^#+ .*$/gm, "\n$&\n")
    .split(/\n\s*\n|\n(?= *(?:[-*]|\d+\.) )/)
    .flatMap((block) => block.split(/(?<=[.!?][)"*_]*)\s+/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** How many words a sentence has. Inline code and the target of a link are no words of their own. */
export function wordCount(sentence: string): number {
  const words = sentence
    .replaceAll(/`[^`]*`/g, "code")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .split(/\s+/);
  return words.filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
