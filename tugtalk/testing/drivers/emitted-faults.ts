/** Where the faults that `parseEmitted` has found are kept: in a file, since bridges are read in several processes. */

/** The variable that names the file. */
export const FAULTS_FILE = "TUGTALK_EMITTED_FAULTS";

/** The file beside it with output of bridges that no test reads: it is checked when a test ends. */
export function uncheckedFile(faultsFile: string): string {
  return `${faultsFile}.unchecked`;
}
