/** Which text of now a text of the recording may stand for, once secrets and names are masked in it. */

/** What stands in the mask of a secret before its number, unless that is too short. */
const WORD = "secret-";

/** A number, and what makes it as long as the secret. */
const NUMBER = "\\d+\\**";

/** A mask may be cut between two pieces of a text: then one has its beginning, and another its rest. */
const BEGINNING = `\\[(?:${NUMBER}|${beginningOf(WORD)})$`;
const REST = `^${restOf(WORD)}\\d*\\**\\]`;
const MIDDLE = `^(?:${NUMBER}|${[...WORD].map((_, at) => beginningOf(WORD.slice(at))).join("|")})$`;

/** A mask, as a recording has it in the place of a secret or of a name. */
const MASK = new RegExp(`${REST}|${MIDDLE}|\\[(?:${WORD})?${NUMBER}\\]|\\*+|${BEGINNING}`, "g");

/** What is masked in the recording may be anything of its length: words of the bridge's own are not masked now. */
export function isSameMasked(then: string, now: string): boolean {
  if (then.length !== now.length) return false;
  let at = 0;
  for (const { index, 0: mask } of then.matchAll(MASK)) {
    if (then.slice(at, index) !== now.slice(at, index)) return false;
    at = index + mask.length;
  }
  return then.slice(at) === now.slice(at);
}

/** A pattern for a word and the number after it, or as much as there is of both. */
function beginningOf(word: string): string {
  return [...word].reduceRight((rest, letter) => `(?:${letter}${rest})?`, `(?:${NUMBER})?`);
}

/** A pattern for a word, or its end. */
function restOf(word: string): string {
  return [...word].reduce((before, letter) => `(?:${before}${letter})?`, "");
}
