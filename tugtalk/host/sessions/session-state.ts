/** One session of the host as a value, and the types of the parts that a step changes. */

import type { AnswerMessage } from "../../client/answers.ts";
import type { Fields } from "../../client/claude-value.ts";
import type { Cursor, MessageReceipt } from "../../client/host-api.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import type { RewoundFiles } from "../../client/rewind-models.ts";
import type { TranscriptItem } from "../../client/transcript-models.ts";
import type { PermissionSuggestion } from "../../src/protocol-types.ts";
import type { ApiError } from "../api/api-error.ts";
import type { Attachments, ReplyRow, SessionRow } from "../journal/journal.ts";

/** A message of the bridge or an event of the host, before it is in the journal. */
export type NewEntry = { readonly type: string; readonly data: Fields };

/** The way to answer a command. Inputs and states carry it; it is used when their commit is written. */
export type Reply<Value> = Pick<PromiseWithResolvers<Value>, "resolve" | "reject">;

export type SessionState = {
  /** The row of the session, without its conversation. The journal has it. */
  readonly row: SessionRow;
  /** The end of the journal. */
  readonly cursor: Cursor;
  /** The state that follows from the journal: transcript, queue, returned messages, prompts. */
  readonly reduced: ReducedSession;
  /** The attachments by the id of an unread message. The journal has them. */
  readonly attachments: ReadonlyMap<string, Attachments>;
  /** The number of entries after the latest snapshot. */
  readonly sinceSnapshot: number;
  readonly bridge: BridgeStatus;
  /** Commands whose message waits for the start of a bridge. */
  readonly deferred: readonly DeferredReply[];
  /** Answers on their way to Claude, by the id of their prompt. */
  readonly claims: ReadonlyMap<string, Claim>;
};

/** Distinguishes a command from its repetition. */
export type Dedupe = Pick<ReplyRow, "clientId" | "hash">;

export type DeferredReply = {
  readonly messageId: string;
  readonly dedupe: Dedupe | undefined;
  readonly reply: Reply<MessageReceipt>;
};

export type PromptAnswer = {
  readonly message: AnswerMessage;
  /** The name of the client. */
  readonly by: string | undefined;
  readonly reply: Reply<void>;
};

/** The sent answer, and later ones to try if it is refused. */
export type Claim = { readonly sent: PromptAnswer; readonly next: readonly PromptAnswer[] };

/** The state of a running bridge. None of it outlives the host. */
export type BridgeStatus = {
  /** `starting`: until Claude runs. */
  readonly phase: "none" | "starting" | "running";
  /** The bridge is being ended. */
  readonly isClosing: boolean;
  /** No other bridge is started after it. */
  readonly isFinal: boolean;
  /** The bridge is ended to be started again, with another budget or with a shorter conversation. */
  readonly isRenewing: boolean;
  /** The running rewind command: no other work begins until it is done. */
  readonly rewinding: Reply<RewoundFiles | undefined> | undefined;
  /** The command that moves the session to another place. */
  readonly moving: Reply<void> | undefined;
  /** The budget with which Claude was started. */
  readonly limitAtStart: number | undefined;
  /** Claude has reported that its budget is spent. */
  readonly isSpent: boolean;
  /** The reason that the bridge reports why Claude cannot be started. */
  readonly failure: ApiError | undefined;
  /** The reason why the bridge has refused to start Claude, if no message reports it. */
  readonly refusal: ApiError | undefined;
  /** Ids of messages that an interrupt has returned before their last receipt. */
  readonly givenBack: ReadonlySet<string>;
  /** The times of restarts without a person in the last minute. */
  readonly restarts: readonly number[];
  /** Commands that wait for the start of the bridge, or for its end. */
  readonly starters: readonly Reply<void>[];
  readonly closers: readonly Reply<void>[];
};

export const NO_BRIDGE: BridgeStatus = {
  phase: "none",
  isClosing: false,
  isFinal: false,
  isRenewing: false,
  rewinding: undefined,
  moving: undefined,
  limitAtStart: undefined,
  isSpent: false,
  failure: undefined,
  refusal: undefined,
  givenBack: new Set(),
  restarts: [],
  starters: [],
  closers: [],
};

/** The permission changes that an `allow` makes for later prompts. */
export function changesOf({ message }: PromptAnswer): readonly PermissionSuggestion[] | undefined {
  const isAllowed = message.type === "tool_approval" && message.decision === "allow";
  return isAllowed ? message.updatedPermissions : undefined;
}

/** Whether a turn of the main conversation is open. */
export function hasOpenTurn({ openEntries }: ReducedSession): boolean {
  return openEntries.some((entry) => entry.kind === "turn" && entry.status === "running");
}

/** Whether Claude has written or done something in the newest turn. */
export function hasAnswer({ openEntries }: ReducedSession): boolean {
  const turn = openEntries.findLast((entry) => entry.kind === "turn");
  return turn?.items.some(isAnswer) === true;
}

function isAnswer(item: TranscriptItem): boolean {
  return item.kind === "tool" || (item.kind === "text" && item.synthetic !== true);
}
