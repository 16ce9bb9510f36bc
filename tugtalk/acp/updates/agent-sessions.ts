/**
 * Agents as child sessions, for a client that shows them so. The texts of an agent go to its session, which is
 * named after the call that has started it. Pure.
 */
import { fieldsOf } from "../../src/base/json.ts";
import type { Update, UpdateState } from "./update-state.ts";

/** The session that an update or a question goes to, by its mark. */
export function sessionOf(
  { features }: Pick<UpdateState, "features">,
  sessionId: string,
  { _meta }: Pick<Update, "_meta">,
): string {
  const parent = features.subagents ? fieldsOf(_meta?.["tugtalk"])["parentToolCallId"] : undefined;
  return typeof parent === "string" ? childOf(sessionId, parent) : sessionId;
}

/** The parameters of an update, with its session. In an update about a child session, that has its full id. */
export function addressed(
  state: Pick<UpdateState, "features">,
  id: string,
  update: Update,
): { readonly sessionId: string; readonly update: Update } {
  const sessionId = sessionOf(state, id, update);
  if (update.sessionUpdate !== "subagent_update") return { sessionId, update };
  return { sessionId, update: { ...update, sessionId: childOf(id, update.sessionId) } };
}

/** The id contains the id of the session, since a copy of a session has the same calls. */
const childOf = (sessionId: string, call: string) => `${sessionId}/${call}`;
