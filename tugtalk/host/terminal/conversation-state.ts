/**
 * What a host must know of a conversation to handle the next line of input: whether Claude was
 * started, whether something runs, and which prompts are open. Pure: a message gives the next state.
 */

import { isPrompt, type PromptRequest } from "../../client/answers.ts";
import type { ErrorMessage } from "../../src/messages/error-message.ts";
import type { OutboundMessage } from "../../src/types.ts";

/** A prompt that is open. A new object for the same request means: ask again from the start. */
export type OpenPrompt = { readonly request: PromptRequest };

/** The state of a conversation. */
export type ConversationState = {
  /** The bridge has found Claude and has started it: messages may be sent. */
  readonly isReady: boolean;
  /** Turns that have started and not ended. Claude starts some by itself. */
  readonly openTurns: ReadonlySet<string>;
  /** Our messages that have no final receipt yet. */
  readonly unfinished: ReadonlySet<string>;
  /** The first one is being asked. */
  readonly prompts: readonly OpenPrompt[];
  /** The first prompt was answered, and the bridge has not confirmed it yet. */
  readonly isAnswerSent: boolean;
  /** An interrupt was sent for what runs. */
  readonly isInterrupted: boolean;
};

/** The state before the first message. */
export const NEW_CONVERSATION: ConversationState = {
  isReady: false,
  openTurns: new Set(),
  unfinished: new Set(),
  prompts: [],
  isAnswerSent: false,
  isInterrupted: false,
};

const FINAL: ReadonlySet<string> = new Set(["completed", "cancelled", "rejected", "failed"]);

/** Whether something runs or waits to run. */
export function isBusy({ openTurns, unfinished }: ConversationState): boolean {
  return openTurns.size > 0 || unfinished.size > 0;
}

/** The state after a message of ours was sent. */
export function applySent(state: ConversationState, messageId: string): ConversationState {
  return { ...state, unfinished: including(state.unfinished, messageId) };
}

/** The state after a message from the bridge. */
export function applyMessage(
  state: ConversationState,
  message: OutboundMessage,
): ConversationState {
  if (isPrompt(message)) return { ...state, prompts: [...state.prompts, { request: message }] };
  switch (message.type) {
    case "process_started":
      return { ...state, isReady: true };
    case "turn_started":
      return { ...state, openTurns: including(state.openTurns, message.turn_id) };
    case "turn_complete":
    case "turn_cancelled": {
      const openTurns = without(state.openTurns, message.turn_id);
      return { ...state, openTurns, isInterrupted: false };
    }
    case "message_status":
      return FINAL.has(message.status) ? finish(state, message.message_id) : state;
    case "control_request_resolved":
    case "control_request_cancel":
      return closePrompt(state, message.request_id);
    case "error":
      return applyError(state, message);
    default:
      return state;
  }
}

type Ids = ReadonlySet<string>;

function including(ids: Ids, id: string | undefined): Ids {
  return id === undefined ? ids : new Set([...ids, id]);
}

function without(ids: Ids, id: string | undefined): Ids {
  return new Set([...ids].filter((other) => other !== id));
}

function finish(state: ConversationState, messageId: string): ConversationState {
  return { ...state, unfinished: without(state.unfinished, messageId), isInterrupted: false };
}

function closePrompt(state: ConversationState, requestId: string): ConversationState {
  const isFirst = isAsked(state, requestId);
  const prompts = state.prompts.filter(({ request }) => request.request_id !== requestId);
  return { ...state, prompts, isAnswerSent: !isFirst && state.isAnswerSent };
}

function isAsked({ prompts }: ConversationState, requestId: string): boolean {
  return prompts[0]?.request.request_id === requestId;
}

/** A refused message is over; a refused answer leaves its prompt open, to be asked again. */
function applyError(state: ConversationState, error: ErrorMessage): ConversationState {
  const next =
    error.in_reply_to !== undefined && state.unfinished.has(error.in_reply_to)
      ? finish(state, error.in_reply_to)
      : state;
  const [first, ...others] = next.prompts;
  // The `id` of an answer is that of its prompt, in case the bridge could not even read the answer.
  const requestId = error.request_id ?? error.in_reply_to;
  if (first === undefined || requestId === undefined) return next;
  if (error.code === "stale_request" || error.code === "unknown_request") {
    return closePrompt(next, requestId);
  }
  if (!isAsked(next, requestId)) return next;
  return { ...next, prompts: [{ request: first.request }, ...others], isAnswerSent: false };
}
