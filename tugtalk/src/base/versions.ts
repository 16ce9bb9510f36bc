/** Versions of the CLI, compared number by number; what follows them (`-dev`) does not count. */

/** Below 0: the first is older; above 0: newer. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split(/[.+-]/).map(Number));
  for (const at of [0, 1, 2]) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
  }
  return 0;
}

/** Whether a version is known and this one or newer. */
export function isAtLeast(version: string | undefined, oldest: string): version is string {
  return version !== undefined && compareVersions(version, oldest) >= 0;
}
