/** The inputs of the steps of a session. Ids and errors are made before, so that a step is pure. */

import type { MessageReceipt, ReturnedMessage, Withdrawn } from "../../client/host-api.ts";
import type { RewoundFiles } from "../../client/rewind-models.ts";
import type { TranscriptEntry } from "../../client/transcript-models.ts";
import type { Fields } from "../../src/base/json.ts";
import type { Uptime } from "../../src/base/uptime.ts";
import type { OutboundMessage } from "../../src/types.ts";
import type { ApiError } from "../api/api-error.ts";
import type { Delivery } from "../api/host-session.ts";
import type { BridgeEnd } from "../bridges/bridge.ts";
import type { Attachments, Folder, MessageEndStatus, ReplyRow } from "../journal/journal.ts";
import type { RewindTarget } from "./rewind-target.ts";
import type { Dedupe, PromptAnswer, Reply } from "./session-state.ts";

export type MessageCommand = {
  readonly kind: "message";
  readonly messageId: string;
  readonly message: string;
  readonly attachments: Attachments;
  readonly delivery: Delivery;
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
      readonly delivery: Exclude<Delivery, "replace">;
      readonly reply: Reply<MessageReceipt>;
    }
  | {
      readonly kind: "take_returned";
      readonly messageId: string;
      readonly reply: Reply<ReturnedMessage>;
    };

/**
 * `sent`: the messages that the bridge had before Claude was asked; `withdrawn`: the messages that waited
 * then.
 */
export type InterruptCommand = {
  readonly includeBackground: boolean;
  readonly sent: readonly ReturnedMessage[];
  readonly withdrawn: readonly ReturnedMessage[];
  readonly reply: Reply<Withdrawn>;
};

/** Rewinds to before a message. */
export type RewindCommand = {
  readonly kind: "rewind";
  readonly messageId: string;
  readonly target: RewindTarget;
  readonly files: boolean;
  /** Whether Claude is to forget the message and all after it. */
  readonly isForgotten: boolean;
  readonly reply: Reply<RewoundFiles | undefined>;
};

/** Moves the session to another place. Without a target, another host moves it. */
export type MoveCommand = {
  readonly kind: "move";
  readonly target: Folder | undefined;
  readonly isForced: boolean;
  readonly reply: Reply<void>;
};

export type SettingCommand =
  | { readonly kind: "title"; readonly title: string; readonly reply: Reply<void> }
  /** Null: no limit. */
  | { readonly kind: "limit"; readonly limitUsd: number | null; readonly reply: Reply<void> }
  /** For the next start of Claude. */
  | { readonly kind: "mode"; readonly mode: string; readonly reply: Reply<void> }
  /** For the next start of Claude; null: its default. */
  | { readonly kind: "model"; readonly model: string | null; readonly reply: Reply<void> }
  /** Claude has accepted these flag settings. */
  | { readonly kind: "flag_settings"; readonly settings: Fields; readonly reply: Reply<void> };

/** The inputs about the usage limit. */
export type LimitInput =
  /** Whether the session continues by itself. */
  | { readonly kind: "goes_on"; readonly isOn: boolean; readonly reply: Reply<void> }
  /** The session does not continue this time. */
  | { readonly kind: "cancel_going_on"; readonly reply: Reply<void> }
  /** The time may have come. `messageId`: a new id for the message. */
  | { readonly kind: "go_on"; readonly messageId: string };

/** Turns of the conversation from before the session, or the reason why they are missing. */
export type HistoryInput =
  | {
      readonly kind: "history";
      readonly turns: readonly TranscriptEntry[];
      readonly reply: Reply<void>;
    }
  | { readonly kind: "no_history"; readonly error: ApiError; readonly reply: Reply<void> };

export type BridgeInput =
  /** Nobody else can be writing the conversation: the bridge is being started. */
  | { readonly kind: "bridge_starting" }
  /** The bridge runs, and has no message yet. */
  | {
      readonly kind: "bridge_started";
      readonly pid: number;
      readonly lingerMs: number;
      readonly upAt?: Uptime | undefined;
    }
  /** No bridge could be started, or it was closed before. */
  | { readonly kind: "start_failed"; readonly error: ApiError }
  /** The bridge refuses to start Claude, and is being closed. */
  | { readonly kind: "init_refused"; readonly error: ApiError }
  /** The bridge's messages of one tick, in order. */
  | { readonly kind: "batch"; readonly messages: readonly OutboundMessage[] }
  /** Comes after the last batch. */
  | { readonly kind: "bridge_ended"; readonly end: BridgeEnd }
  | { readonly kind: "answer_refused"; readonly requestId: string; readonly error: Error }
  /** The conversation is in its place on the new machine. */
  | { readonly kind: "restored" }
  | { readonly kind: "files_rewound"; readonly result: RewoundFiles | ApiError }
  | {
      readonly kind: "interrupted";
      readonly command: InterruptCommand;
      /** The ids of messages that Claude has given back, or the reason why the interrupt failed. */
      readonly result: readonly string[] | Error;
    };

/** A person archives the session, which ends its Claude, or unarchives it. */
export type ArchiveCommand = {
  readonly kind: "archive";
  readonly isArchived: boolean;
  readonly reply: Reply<void>;
};

export type SessionInput =
  | MessageCommand
  | QueueCommand
  | SettingCommand
  | ArchiveCommand
  | LimitInput
  | RewindCommand
  | MoveCommand
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
  /** Ends Claude. After a final end none is started. */
  | { readonly kind: "close"; readonly isFinal: boolean; readonly reply: Reply<void> }
  /** A killed host is back, or another host takes its place; in that case its bridge on a place is gone. */
  | { readonly kind: "recovered"; readonly isBridgeGone: boolean }
  /** Indexes a session of a host without an index. */
  | { readonly kind: "index"; readonly reply: Reply<void> };

/** The facts that a step needs beside its state. */
export type StepContext = {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Set only if the row has the mark of a bridge on a place. */
  readonly upAt?: Uptime | undefined;
  /** The reason why no Claude may be started: another session has the conversation. */
  readonly inUse?: ApiError | undefined;
  /** The earlier answer to the same command. */
  readonly known?: KnownReply | undefined;
  /** The fate of the message that the command names. */
  readonly ended?: MessageEndStatus | undefined;
};

export type KnownReply = Pick<ReplyRow, "hash"> & { readonly receipt: MessageReceipt };
