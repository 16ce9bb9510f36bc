/** Limit on the nesting of JSON: `JSON.parse` reads deeper values than `JSON.stringify` can write. */

/** The deepest nesting that is accepted from host or Claude, in levels. */
export const MAX_DEPTH = 1000;

/** The longest line that cannot be too deep, in characters: a level takes two. */
export const CHARS_IN_DEPTH = 2 * MAX_DEPTH;

/** Whether a value has more than `levels` levels of arrays and objects. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) if (isDeeperThan(levels - 1, inner)) return true;
  return false;
}
