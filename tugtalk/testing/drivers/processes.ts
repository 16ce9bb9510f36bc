/** Whether processes still run, also processes that are no children of the test, and their parents. */
import { readdirSync } from "node:fs";
import { isRunning as isAlive, statFields } from "../../src/base/processes.ts";

/** Waits until these processes, and groups as negative ids, have exited; returns the ids that are left. */
export async function leftAfter(ids: readonly number[], limitMs: number): Promise<number[]> {
  const end = performance.now() + limitMs;
  let left = ids.filter(isRunning);
  while (left.length > 0 && performance.now() < end) {
    await Bun.sleep(10);
    left = left.filter(isRunning);
  }
  return left;
}

/** Whether a process, or one of a group as a negative id, has not ended; a group may be of zombies only. */
export function isRunning(id: number): boolean {
  if (id > 0 || process.platform !== "linux") return isAlive(id);
  return readdirSync("/proc").some((pid) => isOf(pid, -id));
}

/** Sends a signal to a process, or to a group as a negative id, unless it has ended by itself. */
export function signalIfRunning(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** The children of a process, and their descendants; Linux only. */
export function descendantsOf(pid: number): readonly number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** The processes that a process has started itself. */
export function childrenOf(pid: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
}

/** Undefined if it has ended meanwhile. */
export function parentOf(pid: number | string): number | undefined {
  const parent = fieldsOf(String(pid))[1];
  return parent === undefined ? undefined : Number(parent);
}

/** Whether it runs, or would if it had a processor. */
export function isRunnable(pid: number): boolean {
  return fieldsOf(String(pid))[0] === "R";
}

function isOf(pid: string, group: number): boolean {
  const [state, , itsGroup] = /^\d+$/.test(pid) ? fieldsOf(pid) : [];
  return itsGroup === String(group) && state !== "Z" && state !== "X";
}

/** State, parent, group and so on. Empty after the exit. */
function fieldsOf(pid: string): readonly string[] {
  try {
    return statFields(Number(pid));
  } catch {
    return [];
  }
}
