/** Texts that mean the same in Markdown as without it. Pure. */

/** A longer one is left to what reads a text on from where it was, while it grows. */
const MAX_CHARS = 4_000;

/** Whatever may be a mark, or a link by itself, and whatever a line may begin with to be more than text. */
const MARK = /[*_`~[\]<>&\\|#@\t\r]|:\/\/|www\.|^[ \-+=:]| \n|^\d+[.)]/im;

/** The paragraphs of a text without any marks; undefined if it has some. */
export function paragraphsOf(text: string): readonly string[] | undefined {
  return text.length > MAX_CHARS || MARK.test(text) ? undefined : splitParagraphs(text);
}

/** At the blank lines. */
export function splitParagraphs(text: string): readonly string[] {
  return text.match(/[^\n]+(?:\n[^\n]+)*/g) ?? [];
}
