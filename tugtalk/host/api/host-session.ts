/** The sessions as the commands and streams of clients need them. `sessions.ts` implements it. */

import type { AnswerMessage } from "../../client/answers.ts";
import type { EntryPage } from "../../client/entry-pages.ts";
import type {
  Cursor,
  MessageReceipt,
  QueuedMessageInfo,
  ReturnedMessage,
  SessionInfo,
  SessionSnapshot,
  Withdrawn,
} from "../../client/host-api.ts";
import type { OpenPrompt } from "../../client/prompt-models.ts";
import type { PromptEnd } from "../../client/reduced-session.ts";
import type { RewindPreview, RewoundFiles } from "../../client/rewind-models.ts";
import type { SessionOptions } from "../../src/messages/options.ts";
import type { UserMessageInput } from "../../src/messages/user-messages.ts";
import type { JournalEntry, JournalRange } from "../journal/journal.ts";
import type { DatabaseReach } from "./database-reach.ts";
import type { Frame } from "./frame.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The sender of a command. */
export type Caller = {
  /** The name that the client has given to itself. */
  readonly name?: string;
};

export type NewSession = {
  readonly dir: string;
  readonly place: string;
  /** The machine of the place `local`, where hosts of several machines share the sessions. */
  readonly machine?: string | undefined;
  readonly title?: string | undefined;
  readonly model?: string | undefined;
  readonly permission_mode?: string | undefined;
  readonly limit_usd?: number | undefined;
  readonly options?: SessionOptions | undefined;
  /** The journal keeps Claude's own files of the conversation, too. */
  readonly mirror?: boolean | undefined;
  /** The id of a conversation of Claude's to continue. */
  readonly resume?: string | undefined;
  /** Continues a copy of the conversation. */
  readonly fork?: boolean | undefined;
  readonly at_message?: string | undefined;
  readonly request_id?: string | undefined;
};

/** When Claude gets a message, see "The queue" of HOST.md. */
export type Delivery = "queue" | "steer" | "replace" | "now";

export type NewMessage = {
  readonly message: string;
  readonly attachments?: UserMessageInput["attachments"];
  readonly delivery?: Delivery | undefined;
  readonly clientMessageId?: string | undefined;
};

/** A request to rewind to before a message. */
export type Rewind = {
  readonly files: boolean;
  /**
   * `here`: Claude forgets the message and all after it. `fork`: only a copy forgets them, which the caller
   * makes.
   */
  readonly conversation?: "here" | "fork" | undefined;
};

/** The target of a session's move. */
export type Move = {
  readonly place: string;
  readonly dir: string;
  /** Moves even while Claude works, or if the kept conversation is incomplete. */
  readonly isForced: boolean;
};

/** One session. All commands reject with an `ApiError` if they cannot be executed. */
export type HostSession = {
  readonly id: string;
  info(): SessionInfo;
  rename(title: string): Promise<void>;
  /** Null: no limit. */
  setLimit(limitUsd: number | null): Promise<void>;
  /**
   * Archives the session when its Claude has ended, or unarchives it, as each start of Claude does. Rejects
   * with `ApiError` 409 `at_work`.
   */
  setArchived(isArchived: boolean): Promise<void>;
  /** Sets whether the session continues by itself after the usage limit. */
  setGoesOn(isOn: boolean): Promise<void>;
  /** The session does not continue by itself this time. */
  cancelGoingOn(): Promise<void>;
  message(message: NewMessage): Promise<MessageReceipt>;
  queue(): Promise<readonly QueuedMessageInfo[]>;
  editQueued(messageId: string, message: string): Promise<void>;
  deleteQueued(messageId: string): Promise<void>;
  /** Sends the message before all others; `queue`: as soon as no turn is open. */
  sendQueued(messageId: string, delivery: Exclude<Delivery, "replace">): Promise<MessageReceipt>;
  /** Messages that Claude will not read, and that nobody has taken back yet. */
  returned(): Promise<readonly QueuedMessageInfo[]>;
  readReturned(messageId: string): Promise<ReturnedMessage>;
  /** Takes a returned message back; possible once for each. */
  takeReturned(messageId: string): Promise<ReturnedMessage>;
  /** The open prompts, oldest first. */
  prompts(): Promise<readonly OpenPrompt[]>;
  /** The latest prompt of a tool call: an open prompt, or else the end of a closed one. */
  promptOfCall(toolUseId: string): Promise<OpenPrompt | PromptEnd | undefined>;
  /** An open prompt. Rejects with `ApiError`: 404 for an unknown prompt, 409 for a closed one. */
  prompt(requestId: string): Promise<OpenPrompt>;
  /** Resolves when the answer has reached Claude. Rejects as `prompt` does. */
  answer(message: AnswerMessage, caller: Caller): Promise<void>;
  interrupt(options: { readonly includeBackground: boolean }): Promise<Withdrawn>;
  stopTask(taskId: string): Promise<void>;
  /** Claude's response; empty if the setting is stored for the next start. */
  setMode(mode: string): Promise<Fields>;
  /** Null: Claude's default. */
  setModel(model: string | null): Promise<Fields>;
  control(subtype: string, fields: Fields): Promise<Fields>;
  /** Whether files and conversation can be rewound to before a message. Starts Claude if it does not run. */
  previewRewind(messageId: string): Promise<RewindPreview>;
  /** Gives the files that were put back. Rejects with `at_work` while Claude works. */
  rewind(messageId: string, what: Rewind): Promise<RewoundFiles | undefined>;
  snapshot(): Promise<SessionSnapshot>;
  turns(before: string | undefined, limit: number): Promise<EntryPage>;
  /** The cursors before the first kept entry, and of the last one. */
  range(): Promise<JournalRange>;
  /** The entries after a cursor, up to a number of characters; `gap` if they are not kept. */
  entriesAfter(after: Cursor, maxChars: number): Promise<readonly JournalEntry[] | "gap">;
  /**
   * Calls back with each committed batch of frames from now on. If the session is deleted, the last frame is
   * `session_deleted`, which has no cursor. Gives the function that ends it.
   */
  listen(onFrames: (frames: readonly Frame[]) => void): () => void;
  /** Ends Claude. The session stays. */
  end(): Promise<void>;
};

/** The methods of a session that give its whole transcript. */
export type ReadableSession = Pick<HostSession, "info" | "snapshot" | "turns">;

/** All sessions of the host. */
export type HostSessions = {
  /** Set for sessions in a database. */
  readonly databaseReach?: DatabaseReach;
  /** All sessions, newest first. */
  list(): readonly SessionInfo[];
  /** The open prompts of a session, oldest first. */
  openPrompts(id: string): readonly OpenPrompt[];
  /**
   * Resolves when this host knows the session, if there is one: another host may just have created it.
   * Rejects if the database cannot answer.
   */
  seek(id: string): Promise<void>;
  /** Throws `ApiError` 404, and a `DamagedSessionError`, with which its reads may reject, too. */
  get(id: string): HostSession;
  /** The session for a whole read; of a damaged one its readable part. Rejects with `ApiError` 404. */
  readable(id: string): Promise<ReadableSession>;
  /** Claude's own worktree that the session was created with. Throws `ApiError` 404. */
  worktreeOf(id: string): string | undefined;
  create(session: NewSession): Promise<HostSession>;
  /** Rejects with `ApiError` 409 `in_use` if a session has this conversation, and may be writing it. */
  checkFree(conversation: string): Promise<void>;
  fork(id: string, atMessage: string | undefined): Promise<HostSession>;
  /**
   * Ends Claude, puts the conversation in its place at the target, and resumes it there. If a step fails, the
   * session stays at its old place.
   */
  move(id: string, to: Move): Promise<void>;
  /** Ends Claude, and deletes the journal of the session. */
  delete(id: string): Promise<void>;
  /**
   * Calls back with the host's events of all sessions, with the names of the board; with `session_changed`
   * for each change of a `SessionInfo`; and with `session_deleted` for a deletion.
   */
  listen(onFrame: (frame: Frame) => void): () => void;
  /** Ends every Claude and closes the journal. */
  close(): Promise<void>;
};
