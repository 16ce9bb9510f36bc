/**
 * Steps of a move to another place: Claude ends, and a bridge starts at the new place and gets the
 * conversation before it starts Claude. The row has the old place until Claude has found the conversation at
 * the new one; if a step fails, the session stays.
 */
import { ApiError } from "../api/api-error.ts";
import type { Folder, SessionRow } from "../journal/journal.ts";
import { atWork, begin, isAtWork, renew } from "./bridge-readiness.ts";
import { CLOSING } from "./old-bridge.ts";
import { hostError, sessionChanged } from "./session-events.ts";
import { without } from "./session-row.ts";
import { conversationOf } from "./session-start.ts";
import type { Reply, SessionState } from "./session-state.ts";
import type { StepDraft } from "./step-draft.ts";

/** Throws an `ApiError` if the session cannot move, whether it works or not. */
export function checkMovable(row: SessionRow, isForced: boolean): void {
  const { mirror, archivedAt, choice } = row;
  // A forked copy has its source's lines only from its first turn on.
  if (mirror === undefined || choice?.mode === "fork")
    throw new ApiError(
      409,
      "not_mirrored",
      "the host does not keep the conversation of this session",
    );
  if (archivedAt !== undefined)
    throw new ApiError(409, "archived", "the session is archived: bring it back first");
  if (mirror.lacks !== undefined && !isForced) throw incomplete(mirror.lacks);
}

/** The refusal of a move whose kept lines are not the whole conversation. */
export function incomplete(why: string): ApiError {
  const message = `what the host keeps of the conversation is not whole: ${why}`;
  return new ApiError(409, "mirror_incomplete", message);
}

/** Throws an `ApiError` if the end of Claude would lose work, unless the client forces the move. */
export function checkMove(state: SessionState, isForced: boolean): void {
  const { row, bridge } = state;
  checkMovable(row, isForced);
  if (bridge.isClosing && !bridge.isRenewing) throw CLOSING;
  if (row.move !== undefined || row.rewind !== undefined)
    throw atWork("the session is moved, or goes back to before a message");
  if (isAtWork(state) && !isForced)
    throw atWork("the session is at work: stop it first, let it end, or repeat with force:true");
}

export function move(draft: StepDraft, target: Folder, reply: Reply<void>): void {
  const { row } = draft.state;
  if (Bun.deepEquals(folderOf(row), target))
    throw new ApiError(409, "already_there", `the session is in ${target.dir} already`);
  draft.setRow({ move: target });
  draft.setBridge({ moving: reply });
  if (draft.state.bridge.phase === "none") begin(draft);
  else renew(draft);
}

function folderOf({ place, machine, dir }: SessionRow): Folder {
  return { place, ...(machine !== undefined && { machine }), dir };
}

/** Whether Claude is starting at the new place. */
export function isArriving({ state: { row, bridge } }: StepDraft): boolean {
  return row.move !== undefined && !bridge.isClosing;
}

/** Claude has started at the new place, with the conversation or without. */
export function arrive(draft: StepDraft, mode: string): void {
  const { row, bridge } = draft.state;
  const { move: target } = row;
  if (target === undefined) return;
  if (mode === "new" && conversationOf(row) !== undefined) {
    const lost = "Claude does not find the conversation there";
    draft.setBridge({ failure: new ApiError(409, "resume_failed", lost) });
    draft.do({ kind: "close" });
    return;
  }
  const { machine, ...rest } = without(row, "move");
  draft.add(sessionChanged({ ...(machine !== undefined && { machine: null }), ...target }));
  draft.replaceRow({ ...rest, ...target });
  draft.setBridge({ moving: undefined });
  if (bridge.moving !== undefined) draft.resolve(bridge.moving, undefined);
}

/** The session stays at its old place. */
export function failMove(draft: StepDraft, error: ApiError): void {
  const { row, bridge } = draft.state;
  if (row.move === undefined) return;
  draft.add(hostError("move_failed", `the session stays in ${row.dir}: ${error.message}`));
  draft.replaceRow(without(row, "move"));
  draft.setBridge({ moving: undefined });
  if (bridge.moving !== undefined) draft.reject(bridge.moving, error);
}
