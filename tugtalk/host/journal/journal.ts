/**
 * The host's memory on disk, behind one interface. Everything that happens in a session is written by
 * one `commit`, which is atomic: after a crash it is there as a whole or not at all.
 */

import type { EntryPage } from "../../client/entry-pages.ts";
import type { Cursor, SearchHit } from "../../client/host-api.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import type { RewoundFiles } from "../../client/rewind-models.ts";
import type { TranscriptEntry } from "../../client/transcript-models.ts";
import type { Uptime } from "../../src/base/uptime.ts";
import type { SessionChoice } from "../../src/messages/protocol-init.ts";
import type { UserMessageInput } from "../../src/messages/user-messages.ts";
import type { TimedText } from "./session-texts.ts";
import type { FileChange, LinePlace, LineRow } from "./transcript-copy.ts";

/** The row of a session, without its conversation. Times are milliseconds since 1970. */
export type SessionRow = {
  readonly id: string;
  readonly place: string;
  /** The machine of the place `local`, where hosts of several machines share the sessions. */
  readonly machine?: string;
  readonly dir: string;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The id of Claude's conversation, once there is one. */
  readonly claudeSessionId?: string;
  /** How the next start of Claude finds its conversation. Absent: it resumes `claudeSessionId`. */
  readonly choice?: SessionChoice;
  /** Chosen by a person, for the next start of Claude. */
  readonly model?: string;
  readonly permissionMode?: string;
  /** The time at which a person archived the session. */
  readonly archivedAt?: number;
  /** The most US dollars that its turns may cost. */
  readonly limitUsd?: number;
  /** The usage limit of the account, where it has to do with the session. */
  readonly usageLimit?: UsageLimit;
  /** `options` of `protocol_init`. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Claude's own files of its conversation are kept here too. */
  readonly mirror?: Mirror;
  /** The session moves to this place. Until it is there, `place` and `dir` are the old ones. */
  readonly move?: Folder;
  /** The `request_id` that created it. */
  readonly requestId?: string;
  /** The bridge that runs, or that ran when the host was killed. */
  readonly bridge?: BridgeMark;
  /** The message that has the turn: the bridge has it, and no receipt has ended it. */
  readonly inFlight?: string;
  /** A person has rewound to before a message, and the rewind is not complete. */
  readonly rewind?: PendingRewind;
  /** The row cannot be read: only its id is right. */
  readonly isDamaged?: true;
  /**
   * The fields for a list of sessions, and whether the session waits for a person. They follow from the
   * state.
   */
  readonly summary: SessionSummary;
};

/** The place and the folder of a session. */
export type Folder = Pick<SessionRow, "place" | "machine" | "dir">;

export type Mirror = {
  /** The reason why the kept copy is not the whole conversation. */
  readonly lacks?: string;
};

/** The state of a session about the usage limit of the account. */
export type UsageLimit = {
  /** A person wants the session to continue by itself after the limit. */
  readonly goesOn?: true;
  /** How often the session has continued by itself since a turn ended well, or a person sent a message. */
  readonly times?: number;
  /** Kept until the session continues, or something else happens. */
  readonly refused?: RefusedTurn;
};

/** A turn that the usage limit has refused. */
export type RefusedTurn = {
  /** The time at which the limit is reset, if the session waits for it. */
  readonly resetsAt: number;
  /**
   * The message that is sent again. Absent: Claude has begun to answer, and gets the message to
   * continue.
   */
  readonly messageId?: string;
  /** The id of the message with which the session continues at that time. Absent before. */
  readonly sendId?: string;
};

export type PendingRewind = {
  readonly messageId: string;
  /** The beginning of the message. */
  readonly message: string;
  /** The part that is under way. */
  readonly stage: "files" | "conversation";
  /** The files that were put back. */
  readonly files?: RewoundFiles;
  /** How Claude finds its conversation then. Absent: it stays as it is. */
  readonly choice?: SessionChoice;
};

/** Distinguishes a bridge of this machine from another process with its id. */
export type BridgeMark = {
  readonly pid: number;
  /**
   * The latest time at which the host was connected to the bridge. The database's clock gives it where hosts
   * share one.
   */
  readonly at: number;
  /** The process of Claude whose end it has not reported. */
  readonly claudePid?: number;
  /** The uptime at `at`, of the machine of that host; for a bridge of this machine, when it was marked. */
  readonly upAt?: Uptime | undefined;
  /**
   * On a place: for how long after `at` its Claude may go on. `pid` is then the process of the connection.
   */
  readonly lingerMs?: number;
};

/** Kept so that a list can be made without loading conversations. */
export type SessionSummary = {
  readonly state: ReducedSession["status"];
  readonly pending: number;
  readonly queued: number;
  /** The queue waits for a person. */
  readonly isQueueHeld?: boolean;
  readonly costUsd: number;
  readonly lastText?: string;
  readonly lastError?: string;
};

/** The attachments of a message, whole: base64, or text for text types. */
export type Attachments = NonNullable<UserMessageInput["attachments"]>;

/** The fate of a message that was never read. */
export type MessageEnd = { readonly messageId: string; readonly status: MessageEndStatus };
export type MessageEndStatus = "taken" | "deleted" | "replaced";

/** An answer that was given to a client's command, for when the command comes again. */
export type ReplyRow = {
  /** The `client_msg_id`. */
  readonly clientId: string;
  /** The hash of the command's body. */
  readonly hash: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/** One entry of the journal: a message of the bridge, or an event of the host. */
export type JournalEntry = Cursor & {
  readonly type: string;
  /** JSON: an object. */
  readonly data: string;
};

/** The cost of a turn. */
export type NewCost = { readonly at: number; readonly usd: number };

/** US dollars of a quarter of an hour. */
export type CostRow = {
  /** The session; absent for the sum of all deleted sessions. */
  readonly id?: string;
  /** When the quarter began. */
  readonly at: number;
  readonly usd: number;
};

export type SearchQuery = {
  /** The query as a person has typed it. */
  readonly text: string;
  /** The `before` of the page before. */
  readonly before?: number | undefined;
  readonly limit: number;
};

export type SearchPage = {
  /** Latest first. */
  readonly hits: readonly Omit<SearchHit, "title">[];
  /** There are more: the cursor for them. */
  readonly before?: number;
  /** There are sessions that are not indexed yet. */
  readonly isPartial: boolean;
};

/** One atomic change of a session. Absent parts stay as they are. */
export type Commit = {
  /** Appended in order. */
  readonly entries?: readonly Pick<JournalEntry, "type" | "data">[];
  /** The whole row, after the last entry of this commit. */
  readonly row?: SessionRow;
  /** By the id of their message. */
  readonly attached?: ReadonlyMap<string, Attachments>;
  /** Ids of messages whose attachments are no more kept. */
  readonly detached?: readonly string[];
  readonly endedMessages?: readonly MessageEnd[];
  /** Added, or changed where the `clientId` is known. */
  readonly replies?: readonly ReplyRow[];
  readonly cost?: NewCost;
  /** Entries of the transcript that have left the state, oldest first. */
  readonly turns?: readonly TranscriptEntry[];
  /** The changes to Claude's own files, in order. */
  readonly transcript?: readonly FileChange[];
  /** The texts that can be searched with this commit. */
  readonly texts?: readonly TimedText[];
  /**
   * This commit indexes the texts of the state; the turns that have left the state are still to be indexed.
   */
  readonly indexesState?: boolean;
  /** The state after the last entry of this commit. */
  readonly snapshot?: ReducedSession;
};

/** The state after some entry. `entriesAfter(id, cursor)` gives the entries after it. */
export type Snapshot = { readonly cursor: Cursor; readonly state: ReducedSession };

/** A session as it is loaded, without its state. */
export type LoadedSession = {
  readonly row: SessionRow;
  /** The end of the journal. */
  readonly cursor: Cursor;
  /** The attachments of all messages that Claude has not read. */
  readonly attachments: ReadonlyMap<string, Attachments>;
};

/** The kept part: the cursor before the first entry, and the cursor of the last one. */
export type JournalRange = { readonly start: Cursor; readonly end: Cursor };

/** The size of a session's journal on disk. */
export type SessionSize = { readonly id: string; readonly bytes: number; readonly entries: number };

/**
 * Every method may answer later than at once. Methods that read a session reject with a `DamagedSessionError`
 * if its rows cannot be read.
 */
export type Journal = {
  /** All sessions. One with an unreadable row is `failed`, and its error says what a person can do. */
  sessions(): Promise<readonly SessionRow[]>;
  /** The session that a `request_id` has created. */
  sessionOfRequest(requestId: string): Promise<SessionRow | undefined>;
  create(row: SessionRow): Promise<void>;
  load(id: string): Promise<LoadedSession | undefined>;
  /** Nothing before the first one; then the state follows from the entries. */
  snapshot(id: string): Promise<Snapshot | undefined>;
  /**
   * Commits a change, and gives its entries with their cursors. A journal that has become too long is trimmed
   * before new entries; the new entries then have a new epoch, and their numbers go on rising. Rejects if
   * there is no such session, or if the disk is full; then nothing is written.
   */
  commit(id: string, change: Commit): Promise<readonly JournalEntry[]>;
  /** Deletes a session. Only its cost remains, without its id. */
  delete(id: string): Promise<void>;
  /**
   * The next entries after a cursor, up to a number of characters but at least one; `gap` if they are not
   * kept. A `host_error` takes the place of an entry that cannot be read.
   */
  entriesAfter(
    id: string,
    after: Cursor,
    maxChars: number,
  ): Promise<readonly JournalEntry[] | "gap">;
  range(id: string): Promise<JournalRange>;
  /**
   * At most `limit` turns that have left the state, before the turn with this key. Without a key: the latest
   * turns. None before a key that is not kept. A notice takes the place of a turn that cannot be read.
   */
  turnsBefore(id: string, key: string | undefined, limit: number): Promise<EntryPage>;
  reply(id: string, clientId: string): Promise<ReplyRow | undefined>;
  messageEnd(id: string, messageId: string): Promise<MessageEndStatus | undefined>;
  /**
   * The next lines of Claude's own files of a conversation, file by file, up to a number of characters but at
   * least one line; none after the last one.
   */
  transcriptAfter(
    id: string,
    conversation: string,
    after: LinePlace | undefined,
    maxChars: number,
  ): Promise<readonly LineRow[]>;
  /** Texts that were trimmed, and texts of deleted sessions, are not found. */
  search(query: SearchQuery): Promise<SearchPage>;
  /** Sessions that have no indexed text, latest used first. */
  unindexed(): Promise<readonly string[]>;
  sizes(): Promise<readonly SessionSize[]>;
  /** The cost of all sessions, from the quarter of an hour of a time on. */
  costs(since: number): Promise<readonly CostRow[]>;
  /** The grants of a folder when a person trusted it, by its real path. Undefined: nobody did. */
  trustedGrants(place: string, dir: string): Promise<readonly string[] | undefined>;
  trust(place: string, dir: string, grants: readonly string[]): Promise<void>;
  /**
   * Writes the whole journal to a new file, which can replace the journal. Nothing else is done meanwhile.
   * Rejects with a `JournalError`, and leaves no file then.
   */
  backUp(file: string): Promise<void>;
  close(): void;
};
