/** The versions of the CLI that this project is measured and tested with, oldest first. */
export const MEASURED_VERSIONS = ["2.1.38", "2.1.197", "2.1.330"] as const;
export type MeasuredVersion = (typeof MEASURED_VERSIONS)[number];
