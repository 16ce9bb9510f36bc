/** How much a benchmark does: everything, or what still shows that nothing is lost. */

/**
 * With `--short` a benchmark does the least that shows whether everything arrives, and judges no speed and no
 * growth: both depend on what else the machine does.
 */
const IS_SHORT = process.argv.includes("--short");

/** The size of the form that runs. */
export function sized(full: number, short: number): number {
  return IS_SHORT ? short : full;
}

/** Whether speed and growth are judged. */
export const JUDGES_SPEED = !IS_SHORT;
