/** Ranks how well paths match a person's query. Pure. */
import type { FileMatch } from "../../client/host-api.ts";

/** The best matches first: by rank, then the shorter path. */
export function bestMatches(
  found: readonly FileMatch[],
  query: string,
  limit: number,
): readonly FileMatch[] {
  const wanted = query.toLowerCase();
  return found
    .flatMap((match) => {
      const rank = rankOf(match.path.toLowerCase(), wanted);
      return rank === undefined ? [] : [{ match, rank }];
    })
    .sort((one, other) => one.rank - other.rank || compare(one.match.path, other.match.path))
    .slice(0, limit)
    .map(({ match }) => match);
}

/** Lower is better; undefined: no match. */
function rankOf(path: string, wanted: string): number | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const rank = [
    () => name === wanted,
    () => name.startsWith(wanted),
    () => path.startsWith(wanted) || path.includes(`/${wanted}`),
    () => name.includes(wanted),
    () => path.includes(wanted),
    () => isSubsequence(wanted, name),
    () => isSubsequence(wanted, path),
  ].findIndex((isMatch) => isMatch());
  return rank === -1 ? undefined : rank;
}

/** Whether all characters are there, in this order. */
function isSubsequence(wanted: string, text: string): boolean {
  let from = 0;
  for (const character of wanted) {
    const index = text.indexOf(character, from);
    if (index === -1) return false;
    from = index + character.length;
  }
  return true;
}

function compare(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : 1);
}
