/** Steps of Stop: waiting messages are returned, and the turn is interrupted. */
import type { ReturnedMessage } from "../../client/host-api.ts";
import { ApiError } from "../api/api-error.ts";
import { CLOSING } from "./old-bridge.ts";
import { returnGivenBack, returnWaiting } from "./returned-messages.ts";
import { hostError } from "./session-events.ts";
import type { BridgeInput, InterruptCommand, SessionInput } from "./session-input.ts";
import type { StepDraft } from "./step-draft.ts";
import { isHostsOwn, sentIn, startedIn, waitingIn, wholeMessage } from "./unread-messages.ts";
import { stopWaiting } from "./usage-limit-steps.ts";

export function interrupt(
  draft: StepDraft,
  { includeBackground, reply }: Extract<SessionInput, { kind: "interrupt" }>,
): void {
  const { state } = draft;
  const { phase, isClosing, isRenewing } = state.bridge;
  // A closing session has held its queue already.
  if (isClosing && !isRenewing) throw CLOSING;
  const given = [...startedIn(state.reduced), ...sentIn(state.reduced)].filter(
    ({ messageId }) => !isHostsOwn(state.reduced, messageId),
  );
  const sent = given.map((one) => wholeMessage(state, { sentAt: draft.at, ...one }));
  const withdrawn = waitingIn(state.reduced).map((one) => wholeMessage(state, one));
  stopWaiting(draft);
  if (withdrawn.length > 0) returnWaiting(draft);
  const command = { includeBackground, sent, withdrawn, reply };
  // Claude is renewed only between two turns.
  if (phase === "none" || isRenewing) answer(draft, command, []);
  else draft.do({ kind: "interrupt", command });
}

/** A failure rejects the command. If messages were returned, the failure becomes a `host_error` instead. */
export function interrupted(
  draft: StepDraft,
  { command, result }: Extract<BridgeInput, { kind: "interrupted" }>,
): void {
  if (!(result instanceof Error)) {
    const back = command.sent.filter(({ message_id }) => result.includes(message_id));
    returnGivenBack(draft, back);
    answer(draft, command, back);
  } else if (command.withdrawn.length === 0) draft.reject(command.reply, result);
  else {
    const code = result instanceof ApiError ? result.code : "internal_error";
    draft.add(hostError(code, result.message));
    answer(draft, command, []);
  }
}

/** Answers with the returned messages, which the host keeps until somebody takes them back. */
function answer(
  draft: StepDraft,
  { withdrawn, reply }: InterruptCommand,
  back: readonly ReturnedMessage[],
): void {
  const queued_messages = [...back, ...withdrawn];
  const queued = queued_messages.map(({ message }) => message);
  draft.resolve(reply, { queued, queued_messages });
}
