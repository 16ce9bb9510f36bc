/** Executables that replace Claude where the stand-in follows the protocol too well. */
import { join } from "node:path";
import { isRunning } from "./processes.ts";

/** The path of the fixture for a behaviour. */
export function claudeThat(behaviour: string): string {
  return join(import.meta.dir, "..", "fixtures", `${behaviour}.sh`);
}

/** The stand-in. */
export const STAND_IN = join(import.meta.dir, "..", "..", "simulator", "claude.ts");

/** Resolves when a process that is no child of ours has ended. */
export async function isGone(pid: number): Promise<void> {
  while (isRunning(pid)) await Bun.sleep(5);
}
