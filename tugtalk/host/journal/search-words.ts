/**
 * The words of a text for the search, and the places of a query in a text. Pure. A change of these words
 * needs a step of the schema: the index removes a word by the text that it came from.
 */

/** A word of a text: lower case, from `start` to `end` of it. */
type Word = { readonly word: string; readonly start: number; readonly end: number };

/** Consecutive words. */
export type Term = {
  readonly words: readonly string[];
  /** The last word may be the beginning of a longer one. */
  readonly isPrefix: boolean;
};

/** The place of a term in a text. */
export type Mark = { readonly start: number; readonly end: number };

/** Longer words, such as base64, are cut, in texts and in queries. */
const MAX_WORD_CHARS = 64;
/** At most so many parts of one name are also words. */
const MAX_PARTS = 8;

/** Scripts that have no spaces, or whose words have endings and prefixes: each character is a word. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const UNSPACED_RUNS = new RegExp(`[${UNSPACED}]|[^${UNSPACED}]+`, "gu");
const EMOJI = /^\p{Extended_Pictographic}$/u;
/** Characters that each are a word. */
const SINGLE = new RegExp(String.raw`[${UNSPACED}]|\p{Extended_Pictographic}`, "gu");
/** Words as the index's tokenizer divides them, after spaces around characters that are words. */
const WORDS = /[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic}/gu;
const LONG_WORDS = new RegExp(
  String.raw`([\p{L}\p{N}\p{M}]{${MAX_WORD_CHARS}})[\p{L}\p{N}\p{M}]+`,
  "gu",
);
const NO_ASCII = /[^\0-\x7f]/;
/** The beginning of a new part in a name like `readLineOf`. */
const PART = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const NAMES = /[\p{L}\p{N}]*(?:[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll})[\p{L}\p{N}]*/gu;
const ASCII_NAMES = /[A-Za-z0-9]*(?:[a-z0-9][A-Z]|[A-Z]{2}[a-z])[A-Za-z0-9]*/g;

/** A text as the index gets it; its tokenizer divides that into words. */
export function indexedWords(text: string): string {
  const isAscii = !NO_ASCII.test(text);
  const apart = isAscii ? text : text.replace(SINGLE, (character) => ` ${wordOf(character)} `);
  const names = apart.match(isAscii ? ASCII_NAMES : NAMES) ?? [];
  const parts = names.flatMap((name) => partsOf(name).map(({ word }) => word));
  return [apart.replace(LONG_WORDS, "$1"), ...parts].join(" ");
}

/** The query of a person: words, of which all must occur, and phrases in quotes. */
export function termsOf(query: string): readonly Term[] {
  const typed = [...query.normalize("NFC").matchAll(/"(?<exact>[^"]*)"|[^\s"]+/g)];
  return typed.flatMap(([text, exact]) => {
    const words = wordsOf(text).map(({ word }) => word);
    // One letter is the beginning of too many words.
    const isPrefix = exact === undefined && (words.at(-1)?.length ?? 0) > 1;
    return words.length === 0 ? [] : [{ words, isPrefix }];
  });
}

/** All places of these terms in a text, in order. */
export function marksIn(text: string, terms: readonly Term[]): readonly Mark[] {
  const words = wordsOf(text);
  const parts = words.flatMap(({ start, end }) =>
    partsOf(text.slice(start, end)).map((part) => ({
      word: part.word,
      start: start + part.start,
      end: start + part.end,
    })),
  );
  const marks = terms.flatMap((term) =>
    // Parts follow all words, so only a single word can be a part.
    [...marksOf(term, words), ...(term.words.length === 1 ? marksOf(term, parts) : [])],
  );
  return marks.sort((one, other) => one.start - other.start).reduce<Mark[]>(withMark, []);
}

/** Adds a mark, or extends the last one where both overlap. */
function withMark(marks: Mark[], { start, end }: Mark): Mark[] {
  const last = marks.at(-1);
  if (last === undefined || start >= last.end) marks.push({ start, end });
  else marks.splice(-1, 1, { start: last.start, end: Math.max(end, last.end) });
  return marks;
}

function marksOf({ words: wanted, isPrefix }: Term, words: readonly Word[]): readonly Mark[] {
  const last = wanted.length - 1;
  return words.flatMap(({ start }, first) => {
    const isHere = wanted.every((text, index) => {
      const word = words[first + index]?.word;
      return index === last && isPrefix ? word?.startsWith(text) === true : word === text;
    });
    const end = words[first + last];
    if (!isHere || end === undefined) return [];
    const length = isPrefix ? (wanted[last]?.length ?? 0) : end.end - end.start;
    return [{ start, end: Math.min(end.start + length, end.end) }];
  });
}

function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(WORDS)].flatMap(({ 0: found, index }) => {
    const runs = NO_ASCII.test(found)
      ? [...found.matchAll(UNSPACED_RUNS)]
      : [{ 0: found, index: 0 }];
    return runs.map((run) => ({
      word: wordOf(run[0]),
      start: index + run.index,
      end: index + run.index + run[0].length,
    }));
  });
}

function wordOf(found: string): string {
  // The tokenizer does not count an emoji as part of a word.
  if (EMOJI.test(found)) return `u${found.codePointAt(0)?.toString(16)}`;
  return found.slice(0, MAX_WORD_CHARS).toLowerCase();
}

/** The ends of a name, from each of its parts on: `getUserName` is found by `username` and by `name`. */
function partsOf(name: string): readonly Word[] {
  const parts: Word[] = [];
  let start = 0;
  for (const part of name.slice(0, MAX_WORD_CHARS).split(PART).slice(0, MAX_PARTS)) {
    if (start > 0) parts.push({ word: wordOf(name.slice(start)), start, end: name.length });
    start += part.length;
  }
  return parts;
}
