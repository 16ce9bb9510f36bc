/** Steps of the bridge: started when it is needed, its messages written down, what it leaves open closed. */
import { isPrompt, refuse } from "../../client/answers.ts";
import type { OutboundMessage } from "../../src/types.ts";
import { ApiError } from "../api/api-error.ts";
import type { BridgeMark } from "../journal/journal.ts";
import { isJournaled, isLastExit } from "./bridge-messages.ts";
import { begin, isReady } from "./bridge-readiness.ts";
import { startFailure } from "./bridge-refusal.ts";
import { interrupted } from "./interrupt-steps.ts";
import { advance, hold } from "./message-delivery.ts";
import { CLOSING } from "./old-bridge.ts";
import { answerRefused, promptDetails } from "./prompt-steps.ts";
import { missingEnds } from "./recovery.ts";
import { onReceipt, returnMessage } from "./returned-messages.ts";
import { hostError, sessionChanged } from "./session-events.ts";
import type { BridgeInput, SessionInput } from "./session-input.ts";
import { NO_BRIDGE, type Reply } from "./session-state.ts";
import type { StepDraft } from "./step-draft.ts";
import { isReturned, placeIn, sentIn, waitingIn } from "./unread-messages.ts";

/** More open prompts than this are refused: nobody could answer them. */
const MAX_PROMPTS = 200;
/** How often a bridge is started again without a person in a time, so that a crash does not loop. */
const MAX_RESTARTS = 3;
const RESTART_WINDOW_MS = 60_000;

/** What the bridge, or the way to it, has to say. */
export function onBridge(draft: StepDraft, input: BridgeInput): void {
  switch (input.kind) {
    case "bridge_starting":
      draft.add(sessionChanged({ state: "starting" }));
      break;
    case "bridge_started":
      mark(draft, input);
      break;
    case "init_refused":
      draft.setBridge({ refusal: input.error });
      draft.do({ kind: "close" });
      break;
    case "start_failed":
      noBridge(draft, input.error);
      break;
    case "batch":
      onBatch(draft, input.messages);
      break;
    case "bridge_ended":
      onEnd(draft, input);
      break;
    case "answer_refused":
      answerRefused(draft, input);
      break;
    case "interrupted":
      interrupted(draft, input);
      break;
  }
}

/** Claude is to run: answers when it does, or rejects with why it cannot. */
export function startFor(draft: StepDraft, reply: Reply<void>): void {
  const { isClosing, isRenewing, starters } = draft.state.bridge;
  if (isClosing && !isRenewing) draft.reject(reply, CLOSING);
  else if (isReady(draft.state)) draft.resolve(reply, undefined);
  else {
    draft.setBridge({ starters: [...starters, reply] });
    begin(draft);
  }
}

/** Ends Claude. What waits is held. */
export function closeBridge(
  draft: StepDraft,
  { isFinal, reply }: Extract<SessionInput, { kind: "close" }>,
): void {
  hold(draft);
  const { bridge } = draft.state;
  const isLast = isFinal || bridge.isFinal;
  if (bridge.phase === "none") {
    draft.setBridge({ isFinal: isLast, isClosing: isLast });
    draft.resolve(reply, undefined);
    return;
  }
  const closers = [...bridge.closers, reply];
  draft.setBridge({ isFinal: isLast, isClosing: true, isRenewing: false, closers });
  draft.do({ kind: "close" });
}

/** What a killed host has left open has ended, and what waits is held. */
export function recover(draft: StepDraft): void {
  const { bridge, summary } = draft.state.row;
  // The mark of a connection that was lost before has the time of the loss.
  const left = summary.state === "disconnected" ? bridge : bridge && leftBy(bridge, draft.at);
  settle(draft, left);
  hold(draft);
}

/** On a place it may have heard the host up to its end, which was before this time. */
function leftBy(bridge: BridgeMark, at: number): BridgeMark {
  return bridge.lingerMs === undefined ? bridge : { ...bridge, at };
}

type Started = Extract<BridgeInput, { kind: "bridge_started" }>;

/** Written before the bridge is told to start Claude. */
function mark(draft: StepDraft, { pid, lingerMs }: Started): void {
  draft.setRow({ bridge: { pid, at: draft.at, ...(lingerMs > 0 && { lingerMs }) } });
  const { row, bridge } = draft.state;
  draft.setBridge({ limitAtStart: row.limitUsd, isSpent: false });
  draft.do({ kind: bridge.isClosing ? "close" : "init" });
}

function onBatch(draft: StepDraft, messages: readonly OutboundMessage[]): void {
  for (const message of messages.filter(isJournaled)) {
    const { reduced } = draft.state;
    draft.addMessage(message, promptDetails(draft, message));
    onReceipt(draft, message, reduced);
    watchStart(draft, message);
    if (isBudgetEnd(message)) draft.setBridge({ isSpent: true });
  }
  refuseSurplus(draft, messages);
  if (!messages.some(isLastExit)) goOn(draft);
  else if (!draft.state.bridge.isRenewing) endAfterExit(draft);
}

function isBudgetEnd(message: OutboundMessage): boolean {
  return message.type === "turn_complete" && message.subtype === "error_max_budget_usd";
}

function watchStart(draft: StepDraft, message: OutboundMessage): void {
  const isStarting = draft.state.bridge.phase === "starting";
  if (isStarting && message.type === "process_started") {
    draft.setBridge({ phase: "running" });
    for (const starter of takeStarters(draft)) draft.resolve(starter, undefined);
  }
  const failure = startFailure(message);
  if (failure === undefined) return;
  draft.setBridge({ failure });
  if (isStarting) draft.do({ kind: "close" });
}

/** This bridge starts no Claude any more; what waits is held. */
function endAfterExit(draft: StepDraft): void {
  hold(draft);
  draft.setBridge({ isClosing: true });
  draft.do({ kind: "close" });
}

function refuseSurplus(draft: StepDraft, messages: readonly OutboundMessage[]): void {
  const surplus = draft.state.reduced.prompts.length - MAX_PROMPTS;
  if (surplus <= 0) return;
  for (const prompt of messages.filter(isPrompt).slice(-surplus))
    draft.do({ kind: "send", message: refuse(prompt, "too many prompts are open") });
}

/** Gives the bridge what is next, or starts one for it. */
function goOn(draft: StepDraft): void {
  advance(draft);
  const { reduced, bridge } = draft.state;
  if (reduced.isQueueHeld || waitingIn(reduced).length === 0) return;
  if (bridge.phase !== "none") {
    if (!isReady(draft.state)) begin(draft);
    return;
  }
  const restarts = bridge.restarts.filter((at) => at > draft.at - RESTART_WINDOW_MS);
  if (restarts.length < MAX_RESTARTS) {
    draft.setBridge({ restarts: [...restarts, draft.at] });
    begin(draft);
    return;
  }
  hold(draft);
  const message = "the bridge keeps ending: it was started three times in a minute";
  draft.add(hostError("restart_limit", message));
}

type Ended = Extract<BridgeInput, { kind: "bridge_ended" }>;

function onEnd(draft: StepDraft, { end: { reason, isConfirmed } }: Ended): void {
  const { row, bridge } = draft.state;
  const { failure, refusal, isClosing, isRenewing, phase } = bridge;
  settle(draft, isConfirmed ? undefined : row.bridge && { ...row.bridge, at: draft.at });
  if (reason !== undefined) draft.add(hostError("bridge_ended", reason));
  if (failure !== undefined) draft.add(sessionChanged({ state: "failed" }));
  draft.setBridge({ limitAtStart: undefined, isSpent: false });
  if (isRenewing) {
    reset(draft);
    begin(draft);
  } else if (phase === "starting") {
    const ended = new ApiError(503, "start_failed", "the bridge has ended at its start");
    noBridge(draft, isClosing ? CLOSING : (failure ?? refusal ?? ended));
  } else {
    reset(draft);
    goOn(draft);
  }
}

/** No bridge was started, and nobody waits for one any more. */
function noBridge(draft: StepDraft, error: ApiError): void {
  for (const starter of takeStarters(draft)) draft.reject(starter, error);
  reset(draft);
  hold(draft);
  if (error.code === CLOSING.code || draft.state.reduced.status === "failed") return;
  draft.add(hostError(error.code, error.message));
  draft.add(sessionChanged({ state: "failed" }));
}

function takeStarters(draft: StepDraft): readonly Reply<void>[] {
  const { starters } = draft.state.bridge;
  draft.setBridge({ starters: [] });
  return starters;
}

/** No bridge runs. Whoever has waited for that is told. */
function reset(draft: StepDraft): void {
  const { closers, isFinal } = draft.state.bridge;
  const { failure, refusal, givenBack } = NO_BRIDGE;
  const ended = { phase: "none", isClosing: isFinal, isRenewing: false, closers: [] } as const;
  draft.setBridge({ ...ended, failure, refusal, givenBack });
  for (const closer of closers) draft.resolve(closer, undefined);
}

/** Drops the attachments of messages that neither wait nor are returned: they are not sent again. */
function detachRead(draft: StepDraft): void {
  const { attachments, reduced } = draft.state;
  for (const messageId of attachments.keys()) {
    const isKept = placeIn(reduced, messageId) > 0 || isReturned(draft.state, messageId);
    if (!isKept) draft.detach(messageId);
  }
}

/** No bridge is connected: whatever is open has ended. `left` may run for some time. */
function settle(draft: StepDraft, left: BridgeMark | undefined): void {
  const { row, reduced } = draft.state;
  for (const { requestId: request_id } of reduced.prompts) {
    const data = { request_id, reason: "exited", at: draft.at };
    draft.add({ type: "control_request_cancel", data });
  }
  const sent = sentIn(reduced);
  const ends = missingEnds(draft.state.reduced, {
    queued: waitingIn(reduced).map(({ messageId }) => messageId),
    inFlight: row.inFlight,
    claudePid: row.bridge?.claudePid,
  });
  for (const end of ends) draft.add(end);
  for (const message of sent) returnMessage(draft, message);
  detachRead(draft);
  if (left?.lingerMs !== undefined) draft.add(sessionChanged({ state: "disconnected" }));
  const { inFlight: _gone, bridge: _old, ...rest } = draft.state.row;
  draft.replaceRow(left === undefined ? rest : { ...rest, bridge: left });
}
