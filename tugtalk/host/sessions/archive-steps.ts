/** Steps of archiving a session. An archived session has no Claude. */
import { atWork, bringBack, isAtWork } from "./bridge-readiness.ts";
import { closeBridge } from "./bridge-steps.ts";
import { sessionChanged } from "./session-events.ts";
import type { ArchiveCommand } from "./session-input.ts";
import type { SessionState } from "./session-state.ts";
import type { StepDraft } from "./step-draft.ts";
import { waitingTurn } from "./usage-limit.ts";

/** Throws an `ApiError` 409 if the end of Claude would lose work. */
export function archive(draft: StepDraft, { isArchived, reply }: ArchiveCommand): void {
  if (!isArchived) {
    bringBack(draft);
    draft.resolve(reply, undefined);
    return;
  }
  checkAtRest(draft.state);
  if (draft.state.row.archivedAt === undefined) {
    draft.add(sessionChanged({ archived_at: draft.at }));
    draft.setRow({ archivedAt: draft.at });
  }
  closeBridge(draft, { isFinal: false, reply });
}

function checkAtRest(state: SessionState): void {
  if (isAtWork(state)) throw atWork("the session is at work: stop it first, or let it end");
  if (waitingTurn(state.row) !== undefined)
    throw atWork("the session goes on by itself after the usage limit: cancel that first");
}
