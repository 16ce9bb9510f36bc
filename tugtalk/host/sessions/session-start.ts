/** How Claude is started for a session. Pure. */

import type { ProtocolInit, SessionChoice } from "../../src/messages/protocol-init.ts";
import type { PermissionModeMessage } from "../../src/types.ts";
import { ApiError } from "../api/api-error.ts";
import type { SessionRow } from "../journal/journal.ts";
import type { NewSession } from "./host-session.ts";

type PermissionMode = PermissionModeMessage["mode"];

const PERMISSION_MODES: Readonly<Record<PermissionMode, true>> = {
  default: true,
  acceptEdits: true,
  bypassPermissions: true,
  plan: true,
  dontAsk: true,
  delegate: true,
  auto: true,
  manual: true,
};

/** Throws `ApiError` 400 for a mode that the bridge does not know. */
export function permissionModeOf(mode: string): PermissionMode {
  if (isPermissionMode(mode)) return mode;
  throw new ApiError(400, "bad_request", `mode: there is no mode ${mode}`);
}

function isPermissionMode(mode: string): mode is PermissionMode {
  return Object.hasOwn(PERMISSION_MODES, mode);
}

/** The first message to a bridge of the session. */
export function protocolInit(row: SessionRow): ProtocolInit {
  const { model, permissionMode, options } = row;
  const init = {
    type: "protocol_init" as const,
    version: 2,
    dir: row.dir,
    session: choiceOf(row),
    ...(model !== undefined && { model }),
    ...(permissionMode !== undefined && { permission_mode: permissionModeOf(permissionMode) }),
    ...(options !== undefined && { options: { ...options } }),
  };
  return init;
}

function choiceOf({ choice, claudeSessionId }: SessionRow): SessionChoice {
  if (choice !== undefined) return choice;
  if (claudeSessionId === undefined) return { mode: "new" };
  return { mode: "resume", session_id: claudeSessionId };
}

/** The conversation that a client asks for. */
export function choiceFor({ resume, fork = false, atMessage }: NewSession): SessionChoice {
  if (resume === undefined) return { mode: "new" };
  return {
    mode: fork ? "fork" : "resume",
    session_id: resume,
    ...(atMessage !== undefined && { at_message: atMessage }),
  };
}
