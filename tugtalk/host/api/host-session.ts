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

/** Who gives a command. */
export type Caller = {
  /** The name that the client has given itself. */
  readonly name?: string;
};

export type NewSession = {
  readonly dir: string;
  readonly place: string;
  /** That of the place `local`, where the hosts of several machines share the sessions. */
  readonly machine?: string | undefined;
  readonly title?: string | undefined;
  readonly model?: string | undefined;
  readonly permission_mode?: string | undefined;
  readonly limit_usd?: number | undefined;
  readonly options?: SessionOptions | undefined;
  /** Claude's own files of the conversation are kept in the journal too. */
  readonly mirror?: boolean | undefined;
  /** A conversation of Claude's to continue. */
  readonly resume?: string | undefined;
  /** Continue it in a copy. */
  readonly fork?: boolean | undefined;
  readonly at_message?: string | undefined;
  readonly request_id?: string | undefined;
};

/** When Claude is given a message, see "The queue" of HOST.md. */
export type Delivery = "queue" | "steer" | "replace" | "now";

export type NewMessage = {
  readonly message: string;
  readonly attachments?: UserMessageInput["attachments"];
  readonly delivery?: Delivery | undefined;
  readonly clientMessageId?: string | undefined;
};

/** A request to go back to before a message. */
export type Rewind = {
  readonly files: boolean;
  /** `here`: Claude forgets the message and what came after it. `fork`: only a copy of it will, which the caller makes. */
  readonly conversation?: "here" | "fork" | undefined;
};

/** Where a session is to go on. */
export type Move = {
  readonly place: string;
  readonly dir: string;
  /** Also where Claude is at work, or what is kept of the conversation is not whole. */
  readonly isForced: boolean;
};

/** One session. All commands reject with an `ApiError` for what cannot be done. */
export type HostSession = {
  readonly id: string;
  info(): SessionInfo;
  rename(title: string): Promise<void>;
  /** Null: none. */
  setLimit(limitUsd: number | null): Promise<void>;
  /**
   * Puts it away, when its Claude has ended, or brings it back; so does what starts Claude. Rejects with
   * `ApiError` 409 `at_work`.
   */
  setArchived(isArchived: boolean): Promise<void>;
  /** Whether it goes on by itself after the usage limit. */
  setGoesOn(isOn: boolean): Promise<void>;
  /** It does not go on by itself this time. */
  cancelGoingOn(): Promise<void>;
  message(message: NewMessage): Promise<MessageReceipt>;
  queue(): Promise<readonly QueuedMessageInfo[]>;
  editQueued(messageId: string, message: string): Promise<void>;
  deleteQueued(messageId: string): Promise<void>;
  /** Sends it before all others; `queue`: as soon as no turn is open. */
  sendQueued(messageId: string, delivery: Exclude<Delivery, "replace">): Promise<MessageReceipt>;
  /** Messages that Claude will not read, and that nobody has taken back yet. */
  returned(): Promise<readonly QueuedMessageInfo[]>;
  readReturned(messageId: string): Promise<ReturnedMessage>;
  /** Once for each message. */
  takeReturned(messageId: string): Promise<ReturnedMessage>;
  /** The open prompts, oldest first. */
  prompts(): Promise<readonly OpenPrompt[]>;
  /** The latest prompt of a tool call: an open one, else the end of one. */
  promptOfCall(toolUseId: string): Promise<OpenPrompt | PromptEnd | undefined>;
  /** An open prompt. Rejects with `ApiError`: 404 for an unknown one, 409 for one that is closed. */
  prompt(requestId: string): Promise<OpenPrompt>;
  /** Resolves when Claude has been given the answer. Rejects as `prompt` does. */
  answer(message: AnswerMessage, caller: Caller): Promise<void>;
  interrupt(options: { readonly includeBackground: boolean }): Promise<Withdrawn>;
  stopTask(taskId: string): Promise<void>;
  /** Claude's response; empty where the setting is stored for the next start. */
  setMode(mode: string): Promise<Fields>;
  /** Null: Claude's default. */
  setModel(model: string | null): Promise<Fields>;
  control(subtype: string, fields: Fields): Promise<Fields>;
  /** Whether files and conversation can go back to before a message. Starts Claude where it does not run. */
  previewRewind(messageId: string): Promise<RewindPreview>;
  /** Gives the files that were put back. Refused with `at_work` while Claude works. */
  rewind(messageId: string, what: Rewind): Promise<RewoundFiles | undefined>;
  snapshot(): Promise<SessionSnapshot>;
  turns(before: string | undefined, limit: number): Promise<EntryPage>;
  /** The cursors before the first entry that is kept, and of the last one. */
  range(): Promise<JournalRange>;
  /** The entries after a cursor, as far as a number of characters reaches; `gap` if they are not kept. */
  entriesAfter(after: Cursor, maxChars: number): Promise<readonly JournalEntry[] | "gap">;
  /**
   * Calls back with each committed batch of frames from now on, and at last, if the session is deleted, with
   * `session_deleted`, which has no cursor. Gives the way to stop it.
   */
  listen(onFrames: (frames: readonly Frame[]) => void): () => void;
  /** Ends Claude. The session stays. */
  end(): Promise<void>;
};

/** The parts of a session from which a whole transcript is read. */
export type ReadableSession = Pick<HostSession, "info" | "snapshot" | "turns">;

/** All sessions of the host. */
export type HostSessions = {
  /** Of sessions that are in a database. */
  readonly databaseReach?: DatabaseReach;
  /** Newest first. */
  list(): readonly SessionInfo[];
  /** Those of a session, oldest first. */
  openPrompts(id: string): readonly OpenPrompt[];
  /**
   * Resolves when this host knows of the session, if there is one: another host may just have created it.
   * Rejects where nobody can tell.
   */
  seek(id: string): Promise<void>;
  /** Throws `ApiError` 404, and a `DamagedSessionError`, as which also reads of it may reject. */
  get(id: string): HostSession;
  /** To be read as a whole: of a damaged session what can be read. Rejects with `ApiError` 404. */
  readable(id: string): Promise<ReadableSession>;
  /** The worktree of Claude's own that was chosen for it. Throws `ApiError` 404. */
  worktreeOf(id: string): string | undefined;
  create(session: NewSession): Promise<HostSession>;
  /** Rejects with `ApiError` 409 `in_use` where a session has this conversation, and may be writing it. */
  checkFree(conversation: string): Promise<void>;
  fork(id: string, atMessage: string | undefined): Promise<HostSession>;
  /**
   * Ends Claude, puts the conversation where the session is to go on, and resumes it there. Whatever fails, the
   * session stays where it was.
   */
  move(id: string, to: Move): Promise<void>;
  /** Claude is ended, and the journal forgotten. */
  delete(id: string): Promise<void>;
  /**
   * Calls back with the host's events of all sessions, in the words of the board, and with `session_changed`
   * for each change of a `SessionInfo`; `session_deleted` for a deletion.
   */
  listen(onFrame: (frame: Frame) => void): () => void;
  /** Ends every Claude and closes the journal. */
  close(): Promise<void>;
};
