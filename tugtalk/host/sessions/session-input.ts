/** What happens to a session: the inputs of its steps. Ids and errors are made before, so that a step is pure. */
import type { ReturnedMessage } from "../../client/host-api.ts";
import type { TranscriptEntry } from "../../client/transcript-models.ts";
import type { OutboundMessage } from "../../src/types.ts";
import type { ApiError } from "../api/api-error.ts";
import type { MessageReceipt, Withdrawn } from "../api/host-session.ts";
import type { BridgeEnd } from "../bridges/bridge.ts";
import type { Attachments, MessageEndStatus, ReplyRow } from "../journal/journal.ts";
import type { Dedupe, PromptAnswer, Reply } from "./session-state.ts";

export type MessageCommand = {
  readonly kind: "message";
  readonly messageId: string;
  readonly message: string;
  readonly attachments: Attachments;
  readonly delivery: "queue" | "steer" | "replace";
  readonly dedupe: Dedupe | undefined;
  readonly reply: Reply<MessageReceipt>;
};

export type QueueCommand =
  | {
      readonly kind: "edit_queued";
      readonly messageId: string;
      readonly message: string;
      readonly reply: Reply<void>;
    }
  | { readonly kind: "delete_queued"; readonly messageId: string; readonly reply: Reply<void> }
  | {
      readonly kind: "send_queued";
      readonly messageId: string;
      readonly delivery: "queue" | "steer";
      readonly reply: Reply<MessageReceipt>;
    }
  | {
      readonly kind: "take_returned";
      readonly messageId: string;
      readonly reply: Reply<ReturnedMessage>;
    };

/** `sent`: what the bridge has; `withdrawn`: what waited. As they were before Claude was asked. */
export type InterruptCommand = {
  readonly includeBackground: boolean;
  readonly sent: readonly ReturnedMessage[];
  readonly withdrawn: readonly ReturnedMessage[];
  readonly reply: Reply<Withdrawn>;
};

export type SettingCommand =
  | { readonly kind: "title"; readonly title: string; readonly reply: Reply<void> }
  /** Null: none. */
  | { readonly kind: "limit"; readonly limitUsd: number | null; readonly reply: Reply<void> }
  /** For the next start of Claude. */
  | { readonly kind: "mode"; readonly mode: string; readonly reply: Reply<void> }
  /** For the next start of Claude; null: its default. */
  | { readonly kind: "model"; readonly model: string | null; readonly reply: Reply<void> };

/** Turns of the conversation before the session, or why they cannot be had. */
export type HistoryInput =
  | {
      readonly kind: "history";
      readonly turns: readonly TranscriptEntry[];
      readonly reply: Reply<void>;
    }
  | { readonly kind: "no_history"; readonly error: ApiError; readonly reply: Reply<void> };

export type BridgeInput =
  /** Nobody else can be writing the conversation: the bridge is started. */
  | { readonly kind: "bridge_starting" }
  /** It runs, and has not been sent anything. */
  | { readonly kind: "bridge_started"; readonly pid: number; readonly lingerMs: number }
  /** None could be started, or it was closed before. */
  | { readonly kind: "start_failed"; readonly error: ApiError }
  /** It refuses to start Claude, and is being closed. */
  | { readonly kind: "init_refused"; readonly error: ApiError }
  /** Its messages of one tick, in order. */
  | { readonly kind: "batch"; readonly messages: readonly OutboundMessage[] }
  /** After the last batch. */
  | { readonly kind: "bridge_ended"; readonly end: BridgeEnd }
  | { readonly kind: "answer_refused"; readonly requestId: string; readonly error: Error }
  | {
      readonly kind: "interrupted";
      readonly command: InterruptCommand;
      /** The ids of messages that Claude has given back, or why it could not be interrupted. */
      readonly result: readonly string[] | Error;
    };

export type SessionInput =
  | MessageCommand
  | QueueCommand
  | SettingCommand
  | HistoryInput
  | BridgeInput
  | { readonly kind: "answer"; readonly answer: PromptAnswer }
  | {
      readonly kind: "interrupt";
      readonly includeBackground: boolean;
      readonly reply: Reply<Withdrawn>;
    }
  /** A person wants Claude to run. */
  | { readonly kind: "start"; readonly reply: Reply<void> }
  /** Claude is to end. After a final end none is started. */
  | { readonly kind: "close"; readonly isFinal: boolean; readonly reply: Reply<void> }
  /** The host was killed, and is here again. */
  | { readonly kind: "recovered" };

/** What a step may ask for besides its state. */
export type StepContext = {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Why no Claude may be started: another session has the conversation. */
  readonly inUse?: ApiError | undefined;
  /** What was answered to the same command before. */
  readonly known?: KnownReply | undefined;
  /** What became of the message that the command names. */
  readonly ended?: MessageEndStatus | undefined;
};

export type KnownReply = Pick<ReplyRow, "hash"> & { readonly receipt: MessageReceipt };
