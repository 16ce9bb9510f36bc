/** Steps of the end of a bridge, with which its open work ends. */
import type { BridgeMark } from "../journal/journal.ts";
import { missingEnds } from "./recovery.ts";
import { returnMessage } from "./returned-messages.ts";
import { queueChanged, sessionChanged } from "./session-events.ts";
import { without } from "./session-row.ts";
import type { StepDraft } from "./step-draft.ts";
import { isReturned, placeIn, sentIn, waitingIn } from "./unread-messages.ts";
import { isSentAgain } from "./usage-limit.ts";

/** Drops the attachments of messages that neither wait nor are returned, since these are not sent again. */
function detachRead(draft: StepDraft): void {
  const { row, attachments, reduced } = draft.state;
  for (const messageId of attachments.keys()) {
    const isKept =
      placeIn(reduced, messageId) > 0 ||
      isReturned(draft.state, messageId) ||
      isSentAgain(row, messageId);
    if (!isKept) draft.detach(messageId);
  }
}

/**
 * A message that continues after the usage limit and has not begun is sent again, under the same id, which
 * Claude takes only once.
 */
function removeUnbegun(draft: StepDraft): void {
  const { row, reduced } = draft.state;
  const sendId = row.usageLimit?.refused?.sendId;
  if (sendId === undefined || sendId !== row.inFlight) return;
  if (sentIn(reduced).some(({ messageId }) => messageId === sendId))
    draft.add(queueChanged({ removed: [sendId] }));
  draft.replaceRow(without(row, "inFlight"));
}

/** No bridge is connected: all open work has ended. `left` may run for some time. */
export function settle(draft: StepDraft, left: BridgeMark | undefined): void {
  const { row, reduced } = draft.state;
  for (const { requestId: request_id } of reduced.prompts) {
    const data = { request_id, reason: "exited", at: draft.at };
    draft.add({ type: "control_request_cancel", data });
  }
  removeUnbegun(draft);
  const sent = sentIn(draft.state.reduced);
  const ends = missingEnds(draft.state.reduced, {
    queued: waitingIn(reduced).map(({ messageId }) => messageId),
    inFlight: draft.state.row.inFlight,
    claudePid: row.bridge?.claudePid,
  });
  for (const end of ends) draft.add(end);
  for (const message of sent) returnMessage(draft, message);
  detachRead(draft);
  if (left?.lingerMs !== undefined) draft.add(sessionChanged({ state: "disconnected" }));
  const { inFlight: _gone, bridge: _old, ...rest } = draft.state.row;
  draft.replaceRow(left === undefined ? rest : { ...rest, bridge: left });
}
