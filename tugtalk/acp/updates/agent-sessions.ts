/**
 * Agents as child sessions, for a client that shows them so. The id of a child is the id of the call that
 * has started it; what the agent says goes to that session. Pure.
 */
import { fieldsOf } from "../../src/base/json.ts";
import type { Update, UpdateState } from "./update-state.ts";

/** The session that an update goes to, and what is asked there. */
export function sessionOf(
  { features }: Pick<UpdateState, "features">,
  sessionId: string,
  { _meta }: Pick<Update, "_meta">,
): string {
  const parent = features.subagents ? fieldsOf(_meta?.["tugtalk"])["parentToolCallId"] : undefined;
  return typeof parent === "string" ? parent : sessionId;
}
