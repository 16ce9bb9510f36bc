/** What processes cost: processor time and memory, as Linux counts them. */
import { readdirSync, readFileSync } from "node:fs";

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

/** The memory in MB with the process's part of what it shares. */
export function proportionalMegabytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) / 1024;
}

/** From this many ms on, the ticks of `cpuMs` are exact enough, and they count threads that ended. */
const EXACT_FROM_MS = 1000;

/** Starts to measure the processor time of a process. The function that it returns says it in ms. */
export function startCpuMeter(pid: number): () => number {
  const [ticks, threads] = [cpuMs(pid), threadsMs(pid)];
  return () => {
    const byTicks = cpuMs(pid) - ticks;
    return byTicks >= EXACT_FROM_MS ? byTicks : threadsMs(pid) - threads;
  };
}

/** The processor time so far of the threads that are alive, in ms: exact, but without those that ended. */
export function threadsMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => sum + threadNs(pid, thread), 0) / 1e6;
}

/** 0 for a thread that ended. */
function threadNs(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  } catch {
    // It ended after the folder was listed.
    return 0;
  }
}
