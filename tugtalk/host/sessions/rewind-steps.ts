/**
 * Steps of a rewind to before a message: first files are put back, then Claude is started anew with the
 * conversation up to there. The journal gets one entry, when the rewind is complete or has failed half-way.
 */
import { ApiError, halfDone } from "../api/api-error.ts";
import type { PendingRewind } from "../journal/journal.ts";
import { atWork, isFree, renew } from "./bridge-readiness.ts";
import { advance } from "./message-delivery.ts";
import { CLOSING } from "./old-bridge.ts";
import { choiceBefore } from "./rewind-target.ts";
import { hostError, rewound } from "./session-events.ts";
import type { BridgeInput, RewindCommand } from "./session-input.ts";
import { without } from "./session-row.ts";
import { titleOf } from "./session-summary.ts";
import type { StepDraft } from "./step-draft.ts";
import { stopWaiting } from "./usage-limit-steps.ts";

export function rewind(draft: StepDraft, command: RewindCommand): void {
  const { messageId, target, files, isForgotten, reply } = command;
  // A background task's prompt stays open unless Claude is started anew.
  const isAsked = isForgotten && draft.state.reduced.prompts.length > 0;
  if (!isFree(draft.state) || isAsked)
    throw atWork("Claude is at work, or asks something: it has to be stopped first");
  draft.setRow({
    rewind: {
      messageId,
      message: titleOf(target.text),
      stage: files ? "files" : "conversation",
      ...(isForgotten && { choice: choiceBefore(draft.state.row, messageId, target) }),
    },
  });
  draft.setBridge({ rewinding: reply });
  if (files) draft.do({ kind: "rewind_files", messageId });
  else renew(draft);
}

/** Claude has put the files back, or has failed to. */
export function filesRewound(
  draft: StepDraft,
  { result }: Extract<BridgeInput, { kind: "files_rewound" }>,
): void {
  const { rewind } = draft.state.row;
  if (rewind?.stage !== "files") return;
  if (result instanceof ApiError) {
    failRewind(draft, result);
    return;
  }
  draft.setRow({ rewind: { ...rewind, files: result, stage: "conversation" } });
  const { isClosing } = draft.state.bridge;
  if (rewind.choice === undefined) {
    completeRewind(draft);
    advance(draft);
  } else if (isClosing) failRewind(draft, CLOSING);
  else renew(draft);
}

/** Whether Claude is being started for the rewind. */
export function isRestarting({ state: { row, bridge } }: StepDraft): boolean {
  return row.rewind?.stage === "conversation" && !bridge.isClosing;
}

/** The rewind is complete. */
export function completeRewind(draft: StepDraft): void {
  const { rewind } = draft.state.row;
  if (rewind === undefined) return;
  const { choice, files } = rewind;
  tell(draft, rewind, choice !== undefined);
  // The conversation lacks the message that would continue it after the usage limit.
  if (choice !== undefined) stopWaiting(draft);
  draft.replaceRow({ ...without(draft.state.row, "rewind"), ...(choice && { choice }) });
  const { rewinding } = draft.state.bridge;
  draft.setBridge({ rewinding: undefined });
  if (rewinding !== undefined) draft.resolve(rewinding, files);
}

/** The conversation stays as it is. The changed files are reported. */
export function failRewind(draft: StepDraft, error: ApiError): void {
  const { rewind } = draft.state.row;
  if (rewind === undefined) return;
  if (rewind.files !== undefined) tell(draft, rewind, false);
  draft.replaceRow(without(draft.state.row, "rewind"));
  const { rewinding } = draft.state.bridge;
  draft.setBridge({ rewinding: undefined });
  if (rewinding !== undefined) draft.reject(rewinding, halfDone(error, rewind.files));
}

/** The host was killed during the rewind. */
export function recoverRewind(draft: StepDraft): void {
  const { rewind } = draft.state.row;
  if (rewind?.stage === "files") {
    const message = `the host was ended while files were put back to before “${rewind.message}”: some of them may be`;
    draft.add(hostError("rewind_unfinished", message));
  }
  failRewind(draft, CLOSING);
}

function tell(draft: StepDraft, rewind: PendingRewind, forgotten: boolean): void {
  const { messageId: message_id, message, files } = rewind;
  draft.add(rewound({ message_id, message, forgotten, ...(files !== undefined && { files }) }));
}
