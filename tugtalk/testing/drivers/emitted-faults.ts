/** The faults that `parseEmitted` has found, in a file, since bridges are read in several processes. */
import { existsSync, readFileSync, rmSync } from "node:fs";

/** The variable that names the file. */
export const FAULTS_FILE = "TUGTALK_EMITTED_FAULTS";

/** Throws with the faults that were found since the last call. */
export function failOnFaults(path: string): void {
  if (!existsSync(path)) return;
  const faults = readFileSync(path, "utf8");
  rmSync(path);
  throw new Error(`the bridge has emitted what its schema does not allow:\n${faults}`);
}
