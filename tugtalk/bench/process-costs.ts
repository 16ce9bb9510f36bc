/** What processes cost: processor time and memory, as Linux counts them. */
import { readFileSync } from "node:fs";

/** Clock ticks of /proc in a second, on every Linux that Bun runs on. */
const TICKS_PER_SECOND = 100;

/** The processor time of all threads so far, in ms. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name of the program may hold spaces; the fields after it are counted.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return ((user + system) * 1000) / TICKS_PER_SECOND;
}

/** The memory in MB that would be free if this process ended: its own, without what it shares. */
export function ownMegabytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const sizes = rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm);
  return [...sizes].reduce((sum, [, size]) => sum + Number(size), 0) / 1024;
}
