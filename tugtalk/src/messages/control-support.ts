/** Whether Claude knows a control request, and how long it may take, by the table of `control-subtypes.ts`. */
import { compareVersions } from "../base/versions.ts";

/** Loaded with the first request: building the table would show in the start of the bridge. */
const subtypes = () => require("./control-subtypes.ts") as typeof import("./control-subtypes.ts");

/** The timeout of a request in ms; undefined if the request is not in the table. */
export function timeoutMsOf(name: string): number | undefined {
  return subtypes().CONTROL_SUBTYPES[name]?.timeoutMs;
}

/** If a CLI of this version is known to lack a request: the oldest version known to have it. */
export function unsupportedIn(
  name: string,
  version: string | undefined,
): { readonly has: string | undefined } | undefined {
  const { lacks, has } = subtypes().supportOf(name);
  if (version === undefined || lacks === undefined) return undefined;
  return compareVersions(version, lacks) > 0 ? undefined : { has };
}

/** Why a request may have timed out while the version of the CLI is not known yet. */
export function maybeUnsupported(name: string): string | undefined {
  const { lacks, has } = subtypes().supportOf(name);
  return lacks === undefined
    ? undefined
    : `${lacks} does not know ${name}; ${has ?? "no measured version"} does`;
}
