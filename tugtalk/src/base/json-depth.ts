/** How deep a peer's JSON may be nested: it can be read deeper than it can be written again. */

/** The deepest nesting that is taken from either peer, in levels. */
export const MAX_DEPTH = 1000;

/** Whether a value has more than so many levels of arrays and objects. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}
