/** How Claude is started for a session. Pure. */

import { isPermissionMode, type PermissionMode } from "../../client/views/permission-modes.ts";
import type { ProtocolInit, SessionChoice } from "../../src/messages/protocol-init.ts";
import { badField } from "../api/api-error.ts";
import type { NewSession } from "../api/host-session.ts";
import type { SessionRow } from "../journal/journal.ts";
import type { PastConversation } from "./past-turns.ts";
import { budgetLeft } from "./session-limit.ts";

/** Throws `ApiError` 400 for a mode that the bridge does not know. */
export function checkedMode(mode: string): PermissionMode {
  if (isPermissionMode(mode)) return mode;
  throw badField("permission_mode", `there is no mode ${mode}`);
}

/** The first message to a bridge of the session. */
export function protocolInit(row: SessionRow): ProtocolInit {
  const { model, permissionMode: mode } = row;
  const max_budget_usd = budgetLeft(row);
  const options = { ...row.options, ...(max_budget_usd !== undefined && { max_budget_usd }) };
  const init = {
    type: "protocol_init" as const,
    version: 2,
    dir: row.dir,
    session: choiceOf(row),
    ...(model !== undefined && { model }),
    // Claude itself may have changed to one that the bridge does not know.
    ...(mode !== undefined && isPermissionMode(mode) && { permission_mode: mode }),
    ...(Object.keys(options).length > 0 && { options }),
  };
  return init;
}

function choiceOf({ choice, claudeSessionId }: SessionRow): SessionChoice {
  if (choice !== undefined) return choice;
  if (claudeSessionId === undefined) return { mode: "new" };
  return { mode: "resume", session_id: claudeSessionId };
}

/** The row of a session that a client wants. Throws `ApiError` 400. */
export function newRow(
  wanted: NewSession,
  { id, now }: { readonly id: string; readonly now: number },
): SessionRow {
  const { dir, place, title = "", model, permissionMode, limitUsd } = wanted;
  const { options, requestId, resume } = wanted;
  return {
    id,
    place,
    dir,
    title,
    createdAt: now,
    updatedAt: now,
    choice: choiceFor(wanted),
    ...(resume !== undefined && wanted.fork !== true && { claudeSessionId: resume }),
    ...(model !== undefined && { model }),
    ...(permissionMode !== undefined && {
      permissionMode: checkedMode(permissionMode),
    }),
    ...(limitUsd !== undefined && { limitUsd }),
    ...(options !== undefined && { options: { ...options } }),
    ...(requestId !== undefined && { requestId }),
    isQueueHeld: false,
    summary: { state: "starting", pending: 0, queued: 0, costUsd: 0 },
  };
}

function choiceFor({ resume, fork = false, atMessage }: NewSession): SessionChoice {
  if (resume === undefined) return { mode: "new" };
  return {
    mode: fork ? "fork" : "resume",
    session_id: resume,
    ...(atMessage !== undefined && { at_message: atMessage }),
  };
}

/** The conversation before the session, which clients are shown too. */
export function pastOf({ resume, atMessage }: NewSession): PastConversation | undefined {
  return resume === undefined ? undefined : { sessionId: resume, atMessage };
}

/** A copy of a session's conversation. In one where nothing was said, what it was to begin with. */
export function forkOf(row: SessionRow, atMessage: string | undefined): NewSession {
  const { place, dir, title, model, permissionMode, limitUsd, options } = row;
  const { claudeSessionId, choice } = row;
  const source = choice?.mode === "fork" ? choice.session_id : claudeSessionId;
  const isNew = choice?.mode === "new";
  return {
    place,
    dir,
    title,
    model,
    permissionMode,
    limitUsd,
    options,
    ...(source !== undefined &&
      !isNew && {
        resume: source,
        fork: true,
        atMessage: atMessage ?? choice?.at_message,
      }),
  };
}
