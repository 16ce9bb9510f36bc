/** The support of a version of the CLI: measured, or its place beside the measured ones. Pure. */
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { compareVersions } from "../src/base/versions.ts";
import type { VersionSupport } from "./report.ts";

/** The nearest measured versions: the last that is not newer, and the first that is not older. */
export function neighboursOf(version: string) {
  return {
    before: MEASURED_VERSIONS.findLast((other) => compareVersions(other, version) <= 0),
    after: MEASURED_VERSIONS.find((other) => compareVersions(other, version) >= 0),
  };
}

export function supportOf(version: string): VersionSupport {
  const { before, after } = neighboursOf(version);
  if (before === undefined) return "older";
  if (after === undefined) return "newer";
  return before === after ? "measured" : "between";
}

/** The support of a version in words; `isProbed` when it has just been tested. */
export function describeSupport(version: string, isProbed: boolean): string {
  const advice = isProbed ? "" : "; run --probe";
  const { before, after } = neighboursOf(version);
  switch (supportOf(version)) {
    case "measured":
      return "measured";
    case "newer":
      return `newer than any measured${advice}`;
    case "older":
      return `older than any measured${advice}`;
    case "between":
      return `not measured, but ${before} and ${after} are${advice}`;
  }
}
