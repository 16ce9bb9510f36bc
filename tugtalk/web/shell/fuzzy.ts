/** Finds the items that a person means by a few letters. Pure. */

/** Where letters are found, from the best to the worst. */
const WORD_START = 4;
const IN_A_ROW = 3;
const ANYWHERE = 1;

/**
 * How well the letters of `query` are found in `text`, in order; undefined if they are not all there.
 * Letters at the beginnings of words and in a row count most, and of two equal texts the shorter wins.
 */
export function matchScore(query: string, text: string): number | undefined {
  const letters = query.toLowerCase().replaceAll(" ", "");
  const lower = text.toLowerCase();
  let score = 0;
  let last = -1;
  for (const letter of letters) {
    const at = nextIndex(lower, letter, last);
    if (at < 0) return undefined;
    score += worthOf(lower, at, last);
    last = at;
  }
  return score - text.length / 1000;
}

/** The next letter if it follows; otherwise the next word that begins with it, or wherever it is. */
function nextIndex(text: string, letter: string, last: number): number {
  if (text[last + 1] === letter) return last + 1;
  for (let at = text.indexOf(letter, last + 1); at >= 0; at = text.indexOf(letter, at + 1))
    if (isWordStart(text, at)) return at;
  return text.indexOf(letter, last + 1);
}

function worthOf(text: string, at: number, last: number): number {
  if (isWordStart(text, at)) return WORD_START;
  return at === last + 1 ? IN_A_ROW : ANYWHERE;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "");
}

/** The items that fit, the best first; all items in their order for an empty query. */
export function rankMatches<Item>(
  query: string,
  items: readonly Item[],
  textOf: (item: Item) => string,
): Item[] {
  if (query.trim() === "") return [...items];
  return items
    .flatMap((item) => {
      const score = matchScore(query, textOf(item));
      return score === undefined ? [] : [{ item, score }];
    })
    .sort((one, other) => other.score - one.score)
    .map(({ item }) => item);
}
