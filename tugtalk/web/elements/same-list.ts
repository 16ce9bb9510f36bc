/** Whether two lists have the same values, so that the known list can stay. */
export function isSameList<Value>(one: readonly Value[], other: readonly Value[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
