/** The costs of processes: processor time and memory by Linux's counters, and bytes on disk. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { statFields } from "../src/base/processes.ts";
import { residentMegabytes } from "../testing/drivers/silent-host.ts";
import { sum } from "./findings.ts";

/** Clock ticks of /proc in a second, on every Linux that Bun runs on. */
const TICKS_PER_SECOND = 100;

/** The processor time of all threads so far, in ms. */
export function cpuMs(pid: number): number {
  return ticksMs(statFields(pid), 11);
}

/** The processor time of a process and its children, ended ones included. */
export function familyCpuMs(pid: number): number {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statIfAlive(Number(name)))
    .filter((stat) => Number(stat?.[1]) === pid);
  const ended = ticksMs(statFields(pid), 13);
  return cpuMs(pid) + ended + sum(children.map((stat) => ticksMs(stat ?? [], 11)));
}

function statIfAlive(pid: number): readonly string[] | undefined {
  try {
    return statFields(pid);
  } catch {
    // The process has ended since the folder was listed.
    return undefined;
  }
}

/** User and system time, which are the two fields from `at` on. */
function ticksMs(stat: readonly string[], at: number): number {
  return ((Number(stat[at]) + Number(stat[at + 1])) * 1000) / TICKS_PER_SECOND;
}

/** The memory in MB that the end of this process would free: without the memory that it shares. */
export function ownMegabytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const sizes = rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm);
  return sum([...sizes].map(([, size]) => Number(size))) / 1024;
}

/** The memory in MB with the process's part of its shared memory. */
export function proportionalMegabytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) / 1024;
}

/**
 * Starts to watch all processors of the machine. Gives a function that returns the share of them that was
 * busy.
 */
export function startProcessorsWatch(): () => number {
  const before = processorTimes();
  return () => {
    const after = processorTimes();
    return (after.busy - before.busy) / (after.all - before.all);
  };
}

function processorTimes(): { readonly busy: number; readonly all: number } {
  const times = cpus().map((cpu) => cpu.times);
  const all = sum(times.flatMap((one) => Object.values(one)));
  return { busy: all - sum(times.map(({ idle }) => idle)), all };
}

/** From this many ms on, the ticks of `cpuMs` are exact enough, and they count ended threads. */
const EXACT_FROM_MS = 1000;

/** Starts to measure the processor time of a process. Gives a function that returns it in ms. */
export function startCpuMeter(pid: number): () => number {
  const [ticks, threads] = [cpuMs(pid), threadsMs(pid)];
  return () => {
    const byTicks = cpuMs(pid) - ticks;
    return byTicks >= EXACT_FROM_MS ? byTicks : threadsMs(pid) - threads;
  };
}

/** The processor time so far of the living threads, in ms: exact, but without ended threads. */
export function threadsMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return sum(threads.map((thread) => threadNs(pid, thread))) / 1e6;
}

/** 0 for an ended thread. */
function threadNs(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  } catch {
    // The thread has ended since the folder was listed.
    return 0;
  }
}

/** The bytes of the files in a folder. */
export function bytesIn(folder: string): number {
  return sum(readdirSync(folder).map((name) => statSync(join(folder, name)).size));
}

/** The bytes of a file, or of all files below a folder. */
export function bytesAt(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.size;
  const entries = readdirSync(path, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  return sum(files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size));
}

/** The interval of measurements of memory, in ms. */
const INTERVAL_MS = 10;

/** The peak memory of a process in each phase of a benchmark. */
export class MemoryWatch {
  readonly #pid: number;
  readonly #timer: Timer;
  #phase: string;
  readonly #peaks = new Map<string, number>();

  constructor(pid: number, phase: string) {
    this.#pid = pid;
    this.#phase = phase;
    this.#timer = setInterval(() => this.#look(), INTERVAL_MS);
  }

  /** Starts another phase. */
  enter(phase: string): void {
    this.#look();
    this.#phase = phase;
    this.#look();
  }

  /** The peak of a phase, in MB. */
  peakOf(phase: string): number {
    return this.#peaks.get(phase) ?? Number.NaN;
  }

  /** Call it before the process ends. */
  stop(): void {
    this.#look();
    clearInterval(this.#timer);
  }

  #look(): void {
    const peak = this.#peaks.get(this.#phase) ?? 0;
    this.#peaks.set(this.#phase, Math.max(peak, residentMegabytes(this.#pid)));
  }
}
