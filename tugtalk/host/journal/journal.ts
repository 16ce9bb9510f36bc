/**
 * The host's memory on disk, behind one interface. Everything that happens in a session is written by
 * one `commit`, which is atomic: after a crash it is there as a whole or not at all.
 */
import type { EntryPage } from "../../client/entry-pages.ts";
import type { Cursor, PendingPrompt } from "../../client/host-api.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import type { SessionChoice } from "../../src/messages/protocol-init.ts";
import type { TranscriptEntry } from "../../src/messages/transcript-models.ts";
import type { UserMessageInput } from "../../src/messages/user-messages.ts";

/** What is known of a session apart from its conversation. Times are milliseconds since 1970. */
export type SessionRow = {
  readonly id: string;
  readonly place: string;
  readonly dir: string;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The conversation, once Claude has one. */
  readonly claudeSessionId?: string;
  /** How the next start of Claude finds its conversation. Absent: it resumes `claudeSessionId`. */
  readonly choice?: SessionChoice;
  /** Chosen by a person, for the next start of Claude. */
  readonly model?: string;
  readonly permissionMode?: string;
  /** The most US dollars that its turns may cost. */
  readonly limitUsd?: number;
  /** `options` of `protocol_init`. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The `request_id` that created it. */
  readonly requestId?: string;
  /** The bridge that runs, or that ran when the host was killed. */
  readonly bridge?: BridgeMark;
  /** The message that the bridge has and that no receipt has ended. */
  readonly inFlight?: string;
  /** The queue waits for a person. */
  readonly isQueueHeld: boolean;
  /** What a list of sessions shows. */
  readonly summary: SessionSummary;
};

/** Tells a bridge of this machine from another process with its id. */
export type BridgeMark = {
  readonly pid: number;
  /** The latest time at which the host had a connection with it. */
  readonly at: number;
  /** The process of Claude whose end it has not told. */
  readonly claudePid?: number;
  /** On a place: for how long after `at` its Claude may go on. Then `pid` is the connection's. */
  readonly lingerMs?: number;
};

/** Kept so that a list needs no conversation to be loaded. */
export type SessionSummary = {
  readonly state: ReducedSession["status"];
  readonly pending: number;
  readonly queued: number;
  readonly costUsd: number;
  readonly lastText?: string;
  readonly lastError?: string;
};

/** A message that Claude has not read. */
export type QueuedRow = {
  readonly messageId: string;
  /** Ascending in the order of the queue. */
  readonly position: number;
  readonly message: string;
  readonly attachments: NonNullable<UserMessageInput["attachments"]>;
  readonly delivery: "queue" | "replace";
  readonly queuedAt: number;
  /** `sent`: the bridge has it. `returned`: it waits for a person to take it back. Absent: it is in the queue. */
  readonly stage?: "sent" | "returned";
};

/** What became of a message that was never read. */
export type MessageEnd = { readonly messageId: string; readonly status: MessageEndStatus };
export type MessageEndStatus = "taken" | "deleted" | "replaced";

/** A prompt, open or closed. */
export type PromptRow = {
  readonly requestId: string;
  readonly prompt: PendingPrompt;
  readonly end?: PromptEnd;
};

export type PromptEnd = {
  /** `allow`, `deny`, `answered`, or `cancelled`. */
  readonly outcome: string;
  /** Why it was cancelled. */
  readonly reason?: string;
  /** The client that answered. */
  readonly by?: string;
  readonly at: number;
};

/** An answer that was given to a client's command, for when the command comes again. */
export type ReplyRow = {
  /** The `client_msg_id`. */
  readonly clientId: string;
  /** Of the body of the command. */
  readonly hash: string;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
};

/** One entry of the journal: a message of the bridge, or an event of the host. */
export type JournalEntry = Cursor & {
  readonly type: string;
  /** JSON: an object. */
  readonly data: string;
};

/** One atomic change of a session. Absent parts stay as they are. */
export type Commit = {
  /** Appended in order. */
  readonly entries?: readonly Pick<JournalEntry, "type" | "data">[];
  readonly session?: Partial<Omit<SessionRow, "id">>;
  /** Fields of the session that become absent. */
  readonly unset?: readonly (
    | "model"
    | "permissionMode"
    | "limitUsd"
    | "bridge"
    | "inFlight"
    | "choice"
  )[];
  /** Added, or changed where the `messageId` is known. */
  readonly queued?: readonly QueuedRow[];
  /** Ids of messages that are no more kept. */
  readonly unqueued?: readonly string[];
  readonly endedMessages?: readonly MessageEnd[];
  /** Added, or changed where the `requestId` is known. */
  readonly prompts?: readonly PromptRow[];
  /** Added, or changed where the `clientId` is known. */
  readonly reply?: ReplyRow;
  /** Entries of the transcript that have left the state, oldest first. */
  readonly turns?: readonly TranscriptEntry[];
  /** The state after the last entry of this commit. */
  readonly snapshot?: ReducedSession;
};

/** The state after some entry: those after it are `entriesAfter(id, cursor)`. */
export type Snapshot = { readonly cursor: Cursor; readonly state: ReducedSession };

/** A session as it is loaded, without its state. */
export type LoadedSession = {
  readonly row: SessionRow;
  /** The end of the journal. */
  readonly cursor: Cursor;
  /** In the order of their positions, whatever their stage. */
  readonly messages: readonly QueuedRow[];
  readonly openPrompts: readonly PromptRow[];
};

/** What the journal of a session takes on disk. */
export type SessionSize = { readonly id: string; readonly bytes: number; readonly entries: number };

/** What reads a session throws a `DamagedSessionError` where its rows cannot be read. */
export type Journal = {
  /** All of them. One whose row cannot be read is `failed`, and its error says what to do. */
  sessions(): readonly SessionRow[];
  /** The session that a `request_id` has created. */
  sessionOfRequest(requestId: string): SessionRow | undefined;
  create(row: SessionRow): void;
  load(id: string): LoadedSession | undefined;
  /** Nothing before the first one; then the state follows from the entries. */
  snapshot(id: string): Snapshot | undefined;
  /**
   * The cursor of each new entry follows from the order. A journal that has become too long is trimmed
   * before new entries; these then have a new epoch, and a higher number than those before all the same.
   * Throws if there is no such session, and where the disk takes no more; nothing is written then.
   */
  commit(id: string, change: Commit): readonly JournalEntry[];
  /** Nothing of the session is left. */
  delete(id: string): void;
  /**
   * The next entries after a cursor, up to a number of characters but at least one; `gap` if they are not
   * kept. In the place of one that cannot be read is a `host-error`.
   */
  entriesAfter(id: string, after: Cursor, maxChars: number): readonly JournalEntry[] | "gap";
  /** The cursor before the first entry that is kept. */
  start(id: string): Cursor;
  /**
   * At most `limit` turns that have left the state, before the one with this key. Without a key: the latest
   * ones. None before a key that is not kept. In the place of one that cannot be read is a notice.
   */
  turnsBefore(id: string, key: string | undefined, limit: number): EntryPage;
  prompt(id: string, requestId: string): PromptRow | undefined;
  /** The latest prompt of a tool call. */
  promptOfTool(id: string, toolUseId: string): PromptRow | undefined;
  reply(id: string, clientId: string): ReplyRow | undefined;
  messageEnd(id: string, messageId: string): MessageEndStatus | undefined;
  sizes(): readonly SessionSize[];
  /** What a folder granted when a person trusted it, by its real path. Undefined: nobody did. */
  trustedGrants(place: string, dir: string): readonly string[] | undefined;
  trust(place: string, dir: string, grants: readonly string[]): void;
  /**
   * Writes all of it to a new file, which can be put in the place of the journal. Takes its time: nothing
   * else is done meanwhile. Throws a `JournalError`, and leaves no file then.
   */
  backUp(file: string): void;
  close(): void;
};
