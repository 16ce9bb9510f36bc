/** All processes that came of another one, as the system lists them. */

/** The ids of the children of a process, of their children, and so on. */
export function descendantsOf(pid: number): number[] {
  const listed = Bun.spawnSync(["ps", "-eo", "pid=,ppid="]).stdout.toString();
  const pairs = listed.split("\n").map((row) => row.trim().split(/\s+/).map(Number));
  const childrenOf = (parent: number): number[] =>
    pairs.flatMap(([child, of]) => (child !== undefined && of === parent ? [child] : []));
  const all = (parent: number): number[] =>
    childrenOf(parent).flatMap((child) => [child, ...all(child)]);
  return all(pid);
}
