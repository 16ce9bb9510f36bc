/** What the commands and streams of clients need of the sessions. `sessions.ts` implements it. */
import type { EntryPage } from "../../client/entry-pages.ts";
import type {
  Cursor,
  PendingPrompt,
  QueuedMessageInfo,
  ReturnedMessage,
  SessionInfo,
  SessionSnapshot,
} from "../../client/host-api.ts";
import type { SessionOptions } from "../../src/messages/options.ts";
import type { UserMessageInput } from "../../src/messages/user-messages.ts";
import type { PermissionSuggestion } from "../../src/protocol-types.ts";
import type { JournalEntry, MessageEndStatus } from "../journal/journal.ts";
import type { Frame } from "./frame.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Who gives a command. */
export type Caller = {
  /** The name that the client has given itself. */
  readonly name?: string;
};

export type NewSession = {
  readonly dir: string;
  readonly place: string;
  readonly title?: string | undefined;
  readonly model?: string | undefined;
  readonly permissionMode?: string | undefined;
  readonly limitUsd?: number | undefined;
  readonly options?: SessionOptions | undefined;
  /** A conversation of Claude's to continue. */
  readonly resume?: string | undefined;
  /** Continue it in a copy. */
  readonly fork?: boolean | undefined;
  readonly atMessage?: string | undefined;
  readonly requestId?: string | undefined;
};

export type NewMessage = {
  readonly message: string;
  readonly attachments?: UserMessageInput["attachments"];
  readonly delivery?: "queue" | "steer" | "replace" | undefined;
  readonly clientMessageId?: string | undefined;
};

/** `sent`: written to the bridge, no turn was open. `queued`: it waits, at this position from 1. */
export type MessageReceipt =
  | { readonly status: "sent"; readonly message_id: string }
  | { readonly status: "queued"; readonly message_id: string; readonly position: number }
  | UnreadReceipt;

/** Claude will not read it: it waits to be taken back, or that is what became of it. */
export type UnreadReceipt = {
  readonly status: "returned" | MessageEndStatus;
  readonly message_id: string;
};

export type PromptAnswer =
  | {
      readonly kind: "approval";
      readonly decision: "allow" | "deny";
      readonly reason?: string | undefined;
      readonly updatedInput?: Fields | undefined;
      /** Indexes of the prompt's suggestions. */
      readonly suggestions?: readonly number[] | undefined;
      /** Further changes of permissions, beside those suggestions. */
      readonly updatedPermissions?: readonly PermissionSuggestion[] | undefined;
      readonly interrupt?: boolean | undefined;
    }
  | {
      readonly kind: "answers";
      /** As the client gave them: keys are texts or indexes, values texts, arrays or JSON arrays. */
      readonly answers: Fields;
      readonly annotations?: Fields | undefined;
    }
  | {
      readonly kind: "elicitation";
      readonly action: "accept" | "decline" | "cancel";
      readonly content?: Fields | undefined;
    }
  | { readonly kind: "dialog"; readonly behavior: string; readonly result?: unknown };

/** Messages that an interrupt has taken out of the queue, oldest first. */
export type Withdrawn = {
  readonly queued: readonly string[];
  readonly queued_messages: readonly ReturnedMessage[];
};

/** One session. All commands throw an `ApiError` for what cannot be done. */
export type HostSession = {
  readonly id: string;
  info(): SessionInfo;
  rename(title: string): SessionInfo;
  /** Null: none. */
  setLimit(limitUsd: number | null): SessionInfo;
  message(message: NewMessage): Promise<MessageReceipt>;
  queue(): readonly QueuedMessageInfo[];
  editQueued(messageId: string, message: string): void;
  deleteQueued(messageId: string): void;
  /** Sends it as soon as no turn is open, before all others. */
  sendQueued(messageId: string, delivery: "queue" | "steer"): Promise<MessageReceipt>;
  /** What Claude will not read, and nobody has taken back yet. */
  returned(): readonly QueuedMessageInfo[];
  readReturned(messageId: string): ReturnedMessage;
  /** Once for each message. */
  takeReturned(messageId: string): ReturnedMessage;
  pending(): readonly PendingPrompt[];
  /** The request of a tool call's prompt, open or closed. */
  requestOfTool(toolUseId: string): string | undefined;
  /** Resolves when Claude has been given the answer. */
  answer(requestId: string, answer: PromptAnswer, caller: Caller): Promise<void>;
  interrupt(options: { readonly includeBackground: boolean }): Promise<Withdrawn>;
  stopTask(taskId: string): Promise<void>;
  /** Claude's response; empty where the setting is stored for the next start. */
  setMode(mode: string): Promise<Fields>;
  /** Null: Claude's default. */
  setModel(model: string | null): Promise<Fields>;
  control(subtype: string, fields: Fields): Promise<Fields>;
  snapshot(): SessionSnapshot;
  turns(before: string | undefined, limit: number): EntryPage;
  /** The end of the journal, the batch that is being collected left out. */
  cursor(): Cursor;
  /** The entries after a cursor, as far as a number of characters reaches; `gap` if they are not kept. */
  entriesAfter(after: Cursor, maxChars: number): readonly JournalEntry[] | "gap";
  /** The cursor before the first entry that is kept. */
  start(): Cursor;
  /**
   * Calls back with each committed batch of frames from now on, and at last, if the session is deleted, with
   * `session-deleted`, which has no cursor. Gives the way to stop it.
   */
  listen(onFrames: (frames: readonly Frame[]) => void): () => void;
  /** Ends Claude. The session stays. */
  end(): Promise<void>;
};

/** What a whole transcript is read from. */
export type ReadableSession = Pick<HostSession, "info" | "snapshot" | "turns">;

/** All sessions of the host. */
export type HostSessions = {
  /** Newest first. */
  list(): readonly SessionInfo[];
  /** Throws `ApiError` 404, and a `DamagedSessionError`. */
  get(id: string): HostSession;
  /** To be read as a whole: of a damaged session what can be read. Throws `ApiError` 404. */
  readable(id: string): ReadableSession;
  create(session: NewSession): Promise<HostSession>;
  /** Throws `ApiError` 409 `in_use` where a session has this conversation, and may be writing it. */
  checkFree(conversation: string): void;
  fork(id: string, atMessage: string | undefined): Promise<HostSession>;
  /** Claude is ended, and the journal forgotten. */
  delete(id: string): Promise<void>;
  /** Calls back with the host's events of all sessions, and with `session-changed` for each change of a `SessionInfo`; `session-deleted` for a deletion. */
  listen(onFrame: (frame: Frame) => void): () => void;
  /** Ends every Claude and closes the journal. */
  close(): Promise<void>;
};
