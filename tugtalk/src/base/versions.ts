/** Compares CLI versions by their three numbers, and ignores suffixes (`-dev`). */

/** Negative if `one` is older than `other`, positive if it is newer, 0 if equal. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split(/[.+-]/).map(Number));
  for (const at of [0, 1, 2]) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
  }
  return 0;
}

/** Whether a version is known and not older than `oldest`. */
export function isAtLeast(version: string | undefined, oldest: string): version is string {
  return version !== undefined && compareVersions(version, oldest) >= 0;
}
