/**
 * The three CLI versions that the stand-in can imitate, and the lines recorded from each of them that
 * serve as templates. What differs in behaviour is decided where the behaviour is.
 */
import type { JsonObject } from "./json-value.ts";
import version38 from "./recorded/version-38.json";
import version197 from "./recorded/version-197.json";
import version330 from "./recorded/version-330.json";

/** A CLI version of the protocol reference. */
export type ImitatedVersion = "2.1.38" | "2.1.197" | "2.1.330";

/** The version imitated when nothing else is asked for. */
export const DEFAULT_VERSION: ImitatedVersion = "2.1.330";

/** Lines of one version as recorded, without the ids that differ from session to session. */
export type RecordedLines = {
  readonly init: JsonObject;
  readonly initialize: JsonObject;
  readonly message: JsonObject;
  readonly result: JsonObject;
  /** Absent where the version does not know the request. */
  readonly context_usage?: JsonObject;
};

/** What each version was seen to print. */
export const RECORDED_LINES: Readonly<Record<ImitatedVersion, RecordedLines>> = {
  "2.1.38": version38,
  "2.1.197": version197,
  "2.1.330": version330,
};

/** True for one of the three versions that the stand-in knows. */
export function isImitatedVersion(text: string): text is ImitatedVersion {
  return Object.hasOwn(RECORDED_LINES, text);
}
