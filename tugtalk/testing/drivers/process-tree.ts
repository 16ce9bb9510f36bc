/** The processes that a process has started, and those that these have. */
import { readdirSync, readFileSync } from "node:fs";

/** All of them that run; Linux only. */
export function descendantsOf(pid: number): readonly number[] {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(name)]),
  );
  const found = [pid];
  for (const ancestor of found)
    for (const [child, parent] of parents) if (parent === ancestor) found.push(child);
  return found.slice(1);
}

/** Undefined if it has ended meanwhile. */
function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program may hold spaces; the state and the parent come after it.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}
