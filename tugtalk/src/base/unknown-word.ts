/** How a word of a command line that nobody knows is reported: with the one that was probably meant. Pure. */

/** As many letters may be wrong, missing or too many. */
const MAX_EDITS = 2;

/** The problem, with the nearest of the known words if one is near. */
export function unknownWord(word: string, known: readonly string[]): string {
  const meant = nearestWord(word, known);
  return `unknown word: ${word}${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}

/** A word that begins so, or else the one with the fewest edits. Of a short word most must be right. */
function nearestWord(word: string, known: readonly string[]): string | undefined {
  const begun = word === "" ? undefined : known.find((other) => other.startsWith(word));
  if (begun !== undefined) return begun;
  const most = Math.min(MAX_EDITS, Math.floor(word.length / 2));
  const near = known.map((other) => ({ other, edits: editsBetween(word, other) }));
  return near
    .filter(({ edits }) => edits <= most)
    .sort((one, another) => one.edits - another.edits)
    .at(0)?.other;
}

/** The number of letters to change, add or leave out (Levenshtein), row by row. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (const [at, wanted] of [...other].entries()) {
      const changed = (row[at] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
