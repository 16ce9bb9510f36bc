/** The sentences of a document of Markdown and of the comments of a source, and how long they are. */

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

/**
 * The texts of the comments that begin their line, in order. Line comments that follow each other are one
 * text, and a tag of a doc comment begins one.
 */
export function commentsOf(source: string): string[] {
  const comments = source.match(/^ *\/\*[\s\S]*?\*\/|^ *\/\/.*(?:\n *\/\/.*)*/gm) ?? [];
  return comments
    .map((comment) => comment.replaceAll(/^ *(?:\/\*+|\*(?!\/)|\/\/) ?| *\*\/$/gm, ""))
    .flatMap((text) => text.split(/^(?=@\w)/m))
    .filter((text) => text.trim() !== "");
}

/** How many words a sentence has. Inline code and the target of a link are no words of their own. */
export function wordCount(sentence: string): number {
  const words = sentence
    .replaceAll(/`[^`]*`/g, "code")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .split(/\s+/);
  return words.filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
