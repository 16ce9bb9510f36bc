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
  const { dir, place, title = "", model, permission_mode, limit_usd } = wanted;
  const { options, request_id, resume } = wanted;
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
    ...(permission_mode !== undefined && { permissionMode: checkedMode(permission_mode) }),
    ...(limit_usd !== undefined && { limitUsd: limit_usd }),
    ...(options !== undefined && { options: { ...options } }),
    ...(request_id !== undefined && { requestId: request_id }),
    summary: { state: "starting", pending: 0, queued: 0, costUsd: 0 },
  };
}

function choiceFor({ resume, fork = false, at_message }: NewSession): SessionChoice {
  if (resume === undefined) return { mode: "new" };
  return {
    mode: fork ? "fork" : "resume",
    session_id: resume,
    ...(at_message !== undefined && { at_message }),
  };
}

/** The conversation before the session, which clients are shown too. */
export function pastOf({ resume, at_message }: NewSession): PastConversation | undefined {
  return resume === undefined ? undefined : { sessionId: resume, atMessage: at_message };
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
    permission_mode: permissionMode,
    limit_usd: limitUsd,
    options,
    ...(source !== undefined &&
      !isNew && {
        resume: source,
        fork: true,
        at_message: atMessage ?? choice?.at_message,
      }),
  };
}
