/** The peak memory of a process in each phase of a benchmark. */
import { residentMegabytes } from "../testing/drivers/silent-host.ts";

/** The interval of measurements, in ms. */
const INTERVAL_MS = 10;

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
