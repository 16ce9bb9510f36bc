/** The start of Claude for a session. Pure. */
import { isPermissionMode, type PermissionMode } from "../../client/views/permission-modes.ts";
import type { ProtocolInit, SessionChoice } from "../../src/messages/protocol-init.ts";
import { badField } from "../api/api-error.ts";
import type { NewSession } from "../api/host-session.ts";
import type { Folder, SessionRow } from "../journal/journal.ts";
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
  const options = {
    ...row.options,
    ...(row.mirror !== undefined && { transcript_mirror: true }),
    ...(max_budget_usd !== undefined && { max_budget_usd }),
  };
  const init = {
    type: "protocol_init" as const,
    version: 2,
    dir: startFolder(row),
    session: choiceOf(row),
    ...(model !== undefined && { model }),
    // Claude may have changed to a mode that the bridge does not know.
    ...(mode !== undefined && isPermissionMode(mode) && { permission_mode: mode }),
    ...(Object.keys(options).length > 0 && { options }),
  };
  return init;
}

/** The folder where Claude is to run: of the session, or of the target of its move. */
export function destination(row: SessionRow): Folder {
  return row.move ?? row;
}

/** The name of Claude's own worktree that the session was created with. */
export function worktreeOf({ options }: SessionRow): string | undefined {
  const worktree = options?.["worktree"];
  return typeof worktree === "string" ? worktree : undefined;
}

/**
 * The folder of Claude's start. From the repository, Claude itself goes into its worktree, which it may have
 * to make.
 */
export function startFolder(row: SessionRow): string {
  const { dir } = destination(row);
  const end = `/.claude/worktrees/${worktreeOf(row)}`;
  return dir.endsWith(end) ? dir.slice(0, -end.length) : dir;
}

/** The conversation that Claude resumes; undefined if it has no message yet. */
export function conversationOf({ choice, claudeSessionId }: SessionRow): string | undefined {
  return choice?.mode === "new" ? undefined : claudeSessionId;
}

function choiceOf({ rewind, choice, claudeSessionId }: SessionRow): SessionChoice {
  if (rewind?.stage === "conversation" && rewind.choice !== undefined) return rewind.choice;
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
  const { options, request_id, resume, machine, mirror = false } = wanted;
  return {
    id,
    place,
    ...(machine !== undefined && { machine }),
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
    ...(mirror && { mirror: {} }),
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

/** The conversation from before the session, which clients see too. */
export function pastOf({ resume, at_message }: NewSession): PastConversation | undefined {
  return resume === undefined ? undefined : { sessionId: resume, atMessage: at_message };
}

type Titled = { readonly title: string };

/**
 * A session with a copy of a session's conversation. If that has no message yet, the copy starts as the
 * original was to start.
 */
export function forkOf(
  row: SessionRow,
  atMessage: string | undefined,
  others: readonly Titled[],
): NewSession {
  const { place, machine, dir, model, permissionMode, limitUsd, options, mirror } = row;
  const { claudeSessionId, choice } = row;
  const source = choice?.mode === "fork" ? choice.session_id : claudeSessionId;
  const isNew = choice?.mode === "new";
  return {
    place,
    machine,
    dir,
    title: forkTitle(row, others),
    model,
    permission_mode: permissionMode,
    limit_usd: limitUsd,
    options,
    mirror: mirror !== undefined,
    ...(source !== undefined &&
      !isNew && {
        resume: source,
        fork: true,
        at_message: atMessage ?? choice?.at_message,
      }),
  };
}

/**
 * The title of a copy, in the form of Claude's own copies. An empty title stays empty, and the first message
 * replaces it.
 */
function forkTitle({ title }: Titled, others: readonly Titled[]): string {
  if (title === "") return "";
  const stem = title.replace(/ \(Fork(?: \d+)?\)$/, "");
  const taken = new Set(others.map((other) => other.title));
  let name = `${stem} (Fork)`;
  for (let count = 2; taken.has(name); count += 1) name = `${stem} (Fork ${count})`;
  return name;
}
