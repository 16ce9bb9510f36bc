/** How a CLI answers a request of the bridge. Protocol reference §19. */
import type { MeasuredVersion } from "../../simulator/measured-versions.ts";
import { unsupportedIn } from "../../src/messages/control-support.ts";
import type { Fields } from "../observer/observed.ts";

/** One request of the bridge. */
export type Request = Fields & { readonly request_id: string; readonly request: Fields };

/** The lines that answer it: none or two where this version does so. */
export function answersTo(
  { request_id, request }: Request,
  version: MeasuredVersion,
  response?: Fields,
): Fields[] {
  const { subtype, mode } = request;
  if (version === "2.1.38" && unsupportedIn(String(subtype), version) !== undefined) return [];
  const bare = { type: "control_response", response: { subtype: "success", request_id } };
  const given = response ?? responseTo(subtype, version, mode);
  if (given === undefined) return [bare];
  const full = { ...bare, response: { ...bare.response, response: given } };
  return subtype === "set_permission_mode" && version === "2.1.38" ? [full, bare] : [full];
}

function responseTo(subtype: unknown, version: MeasuredVersion, mode: unknown): Fields | undefined {
  if (subtype === "set_permission_mode") return { mode };
  if (subtype !== "initialize") return undefined;
  const emitted = version === "2.1.330" ? { claude_code_version: version } : {};
  return { commands: [], models: [], account: {}, ...emitted };
}
