/** Executables that take Claude's place where the stand-in is too well-behaved. */
import { join } from "node:path";
import { isRunning } from "./processes.ts";

/** The path of a fixture that behaves so. */
export function claudeThat(behaviour: string): string {
  return join(import.meta.dir, "..", "fixtures", `${behaviour}.sh`);
}

/** The stand-in. */
export const STAND_IN = join(import.meta.dir, "..", "..", "simulator", "claude.ts");

/** Resolves when a process that is not our child has ended. */
export async function isGone(pid: number): Promise<void> {
  while (isRunning(pid)) await Bun.sleep(5);
}
