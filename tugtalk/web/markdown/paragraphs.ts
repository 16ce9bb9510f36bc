/** Texts that mean the same in Markdown as without it. Pure. */

/** A longer text is left to `lexMarkdown`, which reads only the new part of a text that grows. */
const MAX_CHARS = 4_000;

/** The characters of marks and of plain links, and the beginnings of lines that are more than text. */
const MARK = /[*_`~[\]<>&\\|#@\t\r]|:\/\/|www\.|^[ \-+=:]| \n|^\d+[.)]/im;

/** The paragraphs of a text without any marks; undefined if it has some. */
export function paragraphsOf(text: string): readonly string[] | undefined {
  return text.length > MAX_CHARS || MARK.test(text) ? undefined : splitParagraphs(text);
}

/** At the blank lines. */
export function splitParagraphs(text: string): readonly string[] {
  return text.match(/[^\n]+(?:\n[^\n]+)*/g) ?? [];
}
