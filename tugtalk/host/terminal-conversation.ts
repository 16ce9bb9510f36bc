/**
 * What a terminal must know of a conversation to tell what the next line of input is: whether the
 * bridge listens, whether something runs, and what is being asked. Pure: each message gives the
 * next state.
 */
import type { ErrorMessage, OutboundMessage } from "../src/types.ts";
import { newPrompt, type Prompt } from "./terminal-prompt.ts";

/** Where a conversation stands. */
export type Conversation = {
  /** The bridge has answered `protocol_init`. */
  readonly isReady: boolean;
  /** Turns that have started and not ended. Claude starts some by itself. */
  readonly openTurns: ReadonlySet<string>;
  /** Our messages that have no final receipt yet. */
  readonly unfinished: ReadonlySet<string>;
  /** What waits for a person; the first one is being asked. */
  readonly prompts: readonly Prompt[];
  /** The first prompt was answered, and the bridge has not yet said whether that settles it. */
  readonly isAnswerSent: boolean;
  /** An interrupt was sent for what runs. */
  readonly isInterrupted: boolean;
};

/** A conversation of which nothing has been heard. */
export const NEW_CONVERSATION: Conversation = {
  isReady: false,
  openTurns: new Set(),
  unfinished: new Set(),
  prompts: [],
  isAnswerSent: false,
  isInterrupted: false,
};

const FINAL: ReadonlySet<string> = new Set(["completed", "cancelled", "rejected", "failed"]);

/** Tells whether something runs or waits to run. */
export function isBusy({ openTurns, unfinished }: Conversation): boolean {
  return openTurns.size > 0 || unfinished.size > 0;
}

/** The conversation after a message of ours was sent. */
export function followSent(conversation: Conversation, messageId: string): Conversation {
  return { ...conversation, unfinished: new Set([...conversation.unfinished, messageId]) };
}

/** The conversation after a message from the bridge. */
export function followMessage(conversation: Conversation, message: OutboundMessage): Conversation {
  switch (message.type) {
    case "protocol_ack":
      return { ...conversation, isReady: true };
    case "turn_started":
      return { ...conversation, openTurns: including(conversation.openTurns, message.turn_id) };
    case "turn_complete":
    case "turn_cancelled": {
      const openTurns = without(conversation.openTurns, message.turn_id);
      return { ...conversation, openTurns, isInterrupted: false };
    }
    case "message_status":
      return FINAL.has(message.status) ? finish(conversation, message.message_id) : conversation;
    case "control_request_forward":
      return { ...conversation, prompts: [...conversation.prompts, newPrompt(message)] };
    case "control_request_resolved":
    case "control_request_cancel":
      return closePrompt(conversation, message.request_id);
    case "error":
      return followError(conversation, message);
    default:
      return conversation;
  }
}

type Ids = ReadonlySet<string>;

function including(ids: Ids, id: string | undefined): Ids {
  return id === undefined ? ids : new Set([...ids, id]);
}

function without(ids: Ids, id: string | undefined): Ids {
  return new Set([...ids].filter((other) => other !== id));
}

function finish(conversation: Conversation, messageId: string): Conversation {
  const unfinished = without(conversation.unfinished, messageId);
  return { ...conversation, unfinished, isInterrupted: false };
}

function closePrompt(conversation: Conversation, requestId: string): Conversation {
  const isFirst = isAsked(conversation, requestId);
  const prompts = conversation.prompts.filter(({ request }) => request.request_id !== requestId);
  return { ...conversation, prompts, isAnswerSent: !isFirst && conversation.isAnswerSent };
}

function isAsked({ prompts }: Conversation, requestId: string): boolean {
  return prompts[0]?.request.request_id === requestId;
}

/** A refused message is over; a refused answer leaves its prompt open, to be asked from the start. */
function followError(conversation: Conversation, error: ErrorMessage): Conversation {
  const next =
    error.in_reply_to !== undefined && conversation.unfinished.has(error.in_reply_to)
      ? finish(conversation, error.in_reply_to)
      : conversation;
  const [first, ...others] = next.prompts;
  // An answer has its request's id as its own, in case the bridge could not even read the answer.
  const requestId = error.request_id ?? error.in_reply_to;
  if (first === undefined || requestId === undefined) return next;
  if (error.code === "stale_request" || error.code === "unknown_request") {
    return closePrompt(next, requestId);
  }
  if (!isAsked(next, requestId)) return next;
  return { ...next, prompts: [newPrompt(first.request), ...others], isAnswerSent: false };
}
