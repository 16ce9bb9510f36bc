/** Steps of the bridge: its start on demand, its messages as entries, and the end of its open work. */
import { isPrompt, refuse } from "../../client/answers.ts";
import type { OutboundMessage } from "../../src/types.ts";
import { ApiError } from "../api/api-error.ts";
import type { BridgeMark } from "../journal/journal.ts";
import { isJournaled, isLastExit } from "./bridge-messages.ts";
import { begin, hasLostClaude, isReady, renew } from "./bridge-readiness.ts";
import { startFailure } from "./bridge-refusal.ts";
import { interrupted } from "./interrupt-steps.ts";
import { advance, hold } from "./message-delivery.ts";
import { arrive, failMove, isArriving } from "./move-steps.ts";
import { CLOSING } from "./old-bridge.ts";
import { answerRefused, promptDetails } from "./prompt-steps.ts";
import { onReceipt } from "./returned-messages.ts";
import {
  completeRewind,
  failRewind,
  filesRewound,
  isRestarting,
  recoverRewind,
} from "./rewind-steps.ts";
import { hostError, sessionChanged } from "./session-events.ts";
import type { BridgeInput, SessionInput } from "./session-input.ts";
import { NO_BRIDGE, type Reply, type SessionState } from "./session-state.ts";
import { settle } from "./settle-steps.ts";
import type { StepDraft } from "./step-draft.ts";
import { keepTranscript } from "./transcript-steps.ts";
import { waitingIn } from "./unread-messages.ts";
import { waitingTurn } from "./usage-limit.ts";
import { dropGoingOn, onUsageLimit, stopWaiting } from "./usage-limit-steps.ts";

/** The limit of open prompts: further ones are refused, since nobody could answer so many. */
const MAX_PROMPTS = 200;
/** The most restarts of a bridge without a person within a time, so that a crash does not loop. */
const MAX_RESTARTS = 3;
const RESTART_WINDOW_MS = 60_000;

/** A session that was created with a model says so once: Claude reports only the full name. */
function starting(draft: StepDraft): void {
  draft.add(sessionChanged({ state: "starting" }));
  const { row, reduced } = draft.state;
  if (row.model !== undefined && reduced.chosenModel === undefined)
    draft.add({ type: "model_changed", data: { model: row.model, source: "host" } });
}

/** An input from the bridge or its connection. */
export function onBridge(draft: StepDraft, input: BridgeInput): void {
  switch (input.kind) {
    case "bridge_starting":
      starting(draft);
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
    case "restored":
      draft.do({ kind: draft.state.bridge.isClosing ? "close" : "init" });
      break;
    case "answer_refused":
      answerRefused(draft, input);
      break;
    case "files_rewound":
      filesRewound(draft, input);
      break;
    case "interrupted":
      interrupted(draft, input);
      break;
  }
}

/** Starts Claude. Answers when Claude runs, or rejects with the reason why it cannot. */
export function startFor(draft: StepDraft, reply: Reply<void>): void {
  const { isClosing, isRenewing, starters } = draft.state.bridge;
  if (isClosing && !isRenewing) draft.reject(reply, CLOSING);
  else if (isReady(draft.state) && !hasLostClaude(draft.state)) draft.resolve(reply, undefined);
  else {
    draft.setBridge({ starters: [...starters, reply] });
    if (isReady(draft.state)) renew(draft);
    else begin(draft);
  }
}

/** Ends Claude. Waiting messages are held. */
export function closeBridge(
  draft: StepDraft,
  { isFinal, reply }: Pick<Extract<SessionInput, { kind: "close" }>, "isFinal" | "reply">,
): void {
  // The end of the host is no decision of a person.
  if (!isFinal) stopWaiting(draft);
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

/** Ends the turns and prompts that a killed host has left open, and holds the queue. */
export function recover(draft: StepDraft, isBridgeGone: boolean): void {
  const { bridge, summary } = draft.state.row;
  // The mark of an earlier lost connection has the time of the loss, whoever has held the session since.
  const wasLost = summary.state === "disconnected";
  const left = wasLost ? bridge : bridge && leftBy(bridge, draft);
  recoverRewind(draft);
  failMove(draft, CLOSING);
  settle(draft, isBridgeGone && !wasLost && left?.lingerMs !== undefined ? undefined : left);
  hold(draft);
}

/** The mark of a bridge that a host has left. On a place, the bridge may have had a host until this time. */
function leftBy(bridge: BridgeMark, draft: StepDraft): BridgeMark {
  return bridge.lingerMs === undefined ? bridge : markedAt(bridge, draft);
}

function markedAt(bridge: BridgeMark, { at, upAt }: StepDraft): BridgeMark {
  return { ...bridge, at, ...(upAt && { upAt }) };
}

type Started = Extract<BridgeInput, { kind: "bridge_started" }>;

/** Marks the bridge in the row before the bridge gets the line that starts Claude. */
function mark(draft: StepDraft, { pid, lingerMs, upAt }: Started): void {
  const lasting = { ...(lingerMs > 0 && { lingerMs }), ...(upAt && { upAt }) };
  draft.setRow({ bridge: { pid, at: draft.at, ...lasting } });
  const { row, bridge } = draft.state;
  draft.setBridge({ limitAtStart: row.limitUsd, isSpent: false });
  if (bridge.isClosing) draft.do({ kind: "close" });
  else draft.do({ kind: row.move === undefined ? "init" : "restore" });
}

function onBatch(draft: StepDraft, messages: readonly OutboundMessage[]): void {
  for (const message of messages) keepTranscript(draft, message);
  for (const message of messages.filter(isJournaled)) {
    const { reduced } = draft.state;
    // Claude has found the message in the conversation.
    if (message.type === "session_init" && isRestarting(draft)) completeRewind(draft);
    if (message.type === "session_init" && isArriving(draft)) arrive(draft, message.mode);
    draft.addMessage(message, promptDetails(draft, message));
    onUsageLimit(draft, message);
    onReceipt(draft, message, reduced);
    watchStart(draft, message);
    if (isBudgetEnd(message)) draft.setBridge({ isSpent: true });
  }
  refuseSurplus(draft, messages);
  if (!messages.some(isLastExit)) goOn(draft);
  // The step that closed the bridge has held the messages of that time. Later messages start the next Claude.
  else if (!draft.state.bridge.isClosing) endAfterExit(draft);
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

/** This bridge starts no further Claude; waiting messages are held. */
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

/** Gives the bridge the next message, or starts a bridge for it. */
function goOn(draft: StepDraft): void {
  advance(draft);
  const { bridge } = draft.state;
  if (!hasNext(draft.state)) return;
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
  dropGoingOn(draft);
  const message = "the bridge keeps ending: it was started three times in a minute";
  draft.add(hostError("restart_limit", message));
}

/** Whether there is a next message that needs Claude. */
function hasNext({ row, reduced }: SessionState): boolean {
  const turn = waitingTurn(row);
  if (turn !== undefined) return turn.sendId !== undefined;
  return !reduced.isQueueHeld && waitingIn(reduced).length > 0;
}

type Ended = Extract<BridgeInput, { kind: "bridge_ended" }>;

function onEnd(draft: StepDraft, { end: { reason, isConfirmed } }: Ended): void {
  const { row, bridge } = draft.state;
  const { failure, refusal, isClosing, isRenewing, phase } = bridge;
  if (!isRenewing) failChange(draft, failure ?? refusal ?? CLOSING);
  settle(draft, isConfirmed ? undefined : row.bridge && markedAt(row.bridge, draft));
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

/** No bridge was started: the commands that wait for one fail. */
function noBridge(draft: StepDraft, error: ApiError): void {
  failChange(draft, error);
  for (const starter of takeStarters(draft)) draft.reject(starter, error);
  reset(draft);
  hold(draft);
  if (error.code !== CLOSING.code) dropGoingOn(draft);
  if (error.code === CLOSING.code || draft.state.reduced.status === "failed") return;
  draft.add(hostError(error.code, error.message));
  draft.add(sessionChanged({ state: "failed" }));
}

/** The change that was to come with this start of Claude fails. */
function failChange(draft: StepDraft, error: ApiError): void {
  failRewind(draft, error);
  failMove(draft, error);
}

function takeStarters(draft: StepDraft): readonly Reply<void>[] {
  const { starters } = draft.state.bridge;
  draft.setBridge({ starters: [] });
  return starters;
}

/** No bridge runs. The commands that waited for its end get an answer. */
function reset(draft: StepDraft): void {
  const { closers, isFinal } = draft.state.bridge;
  const { failure, refusal, givenBack } = NO_BRIDGE;
  const ended = { phase: "none", isClosing: isFinal, isRenewing: false, closers: [] } as const;
  draft.setBridge({ ...ended, failure, refusal, givenBack });
  for (const closer of closers) draft.resolve(closer, undefined);
}
