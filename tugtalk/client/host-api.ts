/** The answers of the reference host, as its clients see them. Types only; `tugtalk/HOST.md` has the routes. */
import type { UserMessageInput } from "../src/messages/user-messages.ts";
import type { PermissionSuggestion } from "../src/protocol-types.ts";
import type {
  DialogPrompt,
  ElicitationPrompt,
  OpenPrompt,
  PermissionPrompt,
  QuestionPrompt,
} from "./prompt-models.ts";
import type { ReducedSession } from "./reduced-session.ts";

/** Where a client is in the journal of a session. A journal is continuous within one epoch. */
export type Cursor = {
  readonly epoch: number;
  /** The last entry that the client has; 0 before the first one. */
  readonly seq: number;
};

/** A session of the host. Times are milliseconds since 1970. */
export type SessionInfo = {
  /** A UUID of the host's. */
  readonly id: string;
  /** The conversation, once Claude has one. */
  readonly claude_session_id?: string;
  /** The place that its bridge runs on; `local` is the machine of the host. */
  readonly place: string;
  /** The machine of the place `local`, where hosts of several machines share the sessions. */
  readonly machine?: string;
  /** No host that lives can run it. It can be read. */
  readonly unreachable?: true;
  /** The folder that Claude works in. */
  readonly dir: string;
  /** The host keeps Claude's own files of the conversation too: the session can be moved. */
  readonly mirror?: true;
  readonly title: string;
  readonly state: ReducedSession["status"];
  readonly model?: string;
  readonly permission_mode?: string;
  /** How many prompts are open. */
  readonly pending: number;
  /** How many messages wait in the host's queue. */
  readonly queued: number;
  /** US dollars. */
  readonly cost_usd: number;
  /** The most US dollars that its turns may cost. */
  readonly limit_usd?: number;
  /** A person wants it to go on by itself after the usage limit of the account. */
  readonly goes_on?: true;
  /** When that limit is reset, where it has refused the latest turn. */
  readonly limit_resets_at?: number;
  /** When it goes on by itself. */
  readonly goes_on_at?: number;
  readonly created_at: number;
  readonly updated_at: number;
  /** When a person put it away. The next message brings it back. */
  readonly archived_at?: number;
  /** The beginning of the latest text of Claude. */
  readonly last_text?: string;
  readonly last_error?: string;
};

/** A text in which something was found. */
export type SearchHit = {
  readonly session: string;
  /** The title of the session. */
  readonly title: string;
  /** The keys of the entry of the transcript, and of the item in it. */
  readonly entry: string;
  readonly item: string;
  /** A message of the person, a text of Claude, a call of a tool, or its result. */
  readonly kind: "user" | "text" | "tool" | "result";
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * The part of the text that has the words, on one line. A text of Claude is without its signs of Markdown.
   */
  readonly snippet: string;
  /** The places of the found words in the snippet: from `start` to before `end`, in characters as JavaScript counts them. */
  readonly marks: readonly { readonly start: number; readonly end: number }[];
};

/** A message in the host's queue. */
export type QueuedMessageInfo = {
  readonly message_id: string;
  readonly message: string;
  readonly queued_at: number;
  /** The next message of this kind takes its place. */
  readonly delivery?: "replace";
  readonly attachments?: readonly { readonly filename: string; readonly media_type: string }[];
};

/** A message that has come back, whole. */
export type ReturnedMessage = Omit<QueuedMessageInfo, "attachments"> & {
  readonly attachments: NonNullable<UserMessageInput["attachments"]>;
};

/** `sent`: written to the bridge, no turn was open. `queued`: it waits, at this position from 1. */
export type MessageReceipt =
  | { readonly status: "sent"; readonly message_id: string }
  | { readonly status: "queued"; readonly message_id: string; readonly position: number }
  | UnreadReceipt;

/** Claude will not read it: it waits to be taken back, or its final status says why. */
export type UnreadReceipt = {
  readonly status: "returned" | "taken" | "deleted" | "replaced";
  readonly message_id: string;
};

/** Messages that an interrupt has taken out of the queue, oldest first. */
export type Withdrawn = {
  /** Their texts. */
  readonly queued: readonly string[];
  readonly queued_messages: readonly ReturnedMessage[];
};

/** The changes in the host's queue, in the order of these fields. */
export type QueueChange = {
  /** Before the message with the id `before`; without it at the end. */
  readonly added?: readonly (QueuedMessageInfo & { readonly before?: string })[];
  readonly removed?: readonly string[];
  readonly edited?: readonly Pick<QueuedMessageInfo, "message_id" | "message">[];
  readonly moved?: readonly { readonly message_id: string; readonly before?: string }[];
  /** Whether the queue waits for a person, where that has changed. */
  readonly held?: boolean;
};

/** A prompt of the state under the names of other hosts. */
type Pending<Type extends string, Prompt extends OpenPrompt> = Omit<
  Prompt,
  "kind" | "createdAt" | "permissionSuggestions"
> & {
  readonly type: Type;
  readonly sessionId: string;
  /** Equal to `sessionId`. */
  readonly stageId: string;
  /** Equal to `requestId`. */
  readonly request_id: string;
  readonly createdAt: number;
};

/** An open prompt in `pending` and on the board, with the fields that other hosts have. */
export type PendingPrompt =
  | (Pending<"approval", PermissionPrompt> & {
      readonly suggestions: readonly PermissionSuggestion[];
    })
  | Pending<"question", QuestionPrompt>
  | Pending<"elicitation", ElicitationPrompt>
  | Pending<"dialog", DialogPrompt>;

/** The state of a session for a page that opens: the latest turns, and everything that is open. */
export type SessionSnapshot = {
  readonly cursor: Cursor;
  readonly state: ReducedSession;
  /** The cursor for older turns, if there are any. */
  readonly before?: string;
};

/** A large snapshot comes as several frames: their texts together are its JSON. */
export type SnapshotPart = {
  /** From 1. */
  readonly part: number;
  /** How many there are. */
  readonly parts: number;
  readonly text: string;
};

/** The first frame after a subscription. After `gap` comes a `snapshot`. */
export type ResumeVerdict = {
  readonly result: "ok" | "gap";
  /** The next entry has a higher `seq` than this. */
  readonly from: Cursor;
};

/** Every error of the host. */
export type HostErrorBody = {
  /** For people. */
  readonly error: string;
  /** For programs. */
  readonly code: string;
};

/** The cost of all sessions on the latest days, newest first; without days that cost nothing. */
export type DailyCosts = {
  /** Whose days these are, as `Europe/Berlin`. */
  readonly time_zone: string;
  readonly days: readonly CostDay[];
};

export type CostDay = {
  /** As `2026-11-26`. */
  readonly day: string;
  readonly cost_usd: number;
  /** The dearest first. Without `id`: all deleted sessions. */
  readonly sessions: readonly { readonly id?: string; readonly cost_usd: number }[];
};

/** A file or folder that a completion offers. */
export type FileMatch = {
  /** From the folder of the session, with `/`. */
  readonly path: string;
  readonly kind: "file" | "folder";
};

/** Folders for the dialog of a new session. */
export type FolderList = {
  /** The folder that was looked into. */
  readonly path: string;
  /** Absent at the root. */
  readonly parent?: string;
  /** Whether it is in a Git repository. */
  readonly in_repository: boolean;
  /** By name, hidden ones last; at most 1,000. */
  readonly dirs: readonly { readonly name: string; readonly path: string }[];
  /** Folders of the latest sessions. */
  readonly recent: readonly string[];
};

/** A setting as text. `source` is the file that has it. */
type FolderSetting = { readonly setting: string; readonly value: string; readonly source: string };

/** The settings that come with a folder and are in force there without a question. `source` is the file that says so. */
export type FolderConfig = {
  readonly hooks: readonly {
    readonly event: string;
    readonly matcher?: string;
    /** The command or URL; the whole hook as JSON where it has neither. */
    readonly command: string;
    readonly source: string;
  }[];
  readonly mcp_servers: readonly {
    readonly name: string;
    /** The command with its arguments, or the URL. */
    readonly command: string;
    readonly source: string;
  }[];
  /** Settings that name a program, for example `apiKeyHelper`. */
  readonly commands: readonly {
    readonly setting: string;
    readonly command: string;
    readonly source: string;
  }[];
  /** Variables for Claude and its children, for example the address of another API. */
  readonly env: readonly {
    readonly name: string;
    readonly value: string;
    readonly source: string;
  }[];
  /** The settings that let tools run without a question: one for each rule of `allow`, mode and further folder. */
  readonly permissions: readonly FolderSetting[];
  /** Plugins, and the marketplaces that they come from. */
  readonly plugins: readonly FolderSetting[];
  /** All further settings that are not known to grant nothing. */
  readonly settings: readonly FolderSetting[];
  /** Files and folders that could not be read: they may grant more. */
  readonly unreadable: readonly string[];
};

/** The findings about a folder that a person sees before it is trusted. */
export type FolderFindings = FolderConfig & {
  /** The folder of the host's own data, with its token, where that lies in this one. */
  readonly host_data: readonly string[];
};

/** `body` of a `CommandError` with the code `untrusted_dir`. On another machine nobody has looked into the folder. */
export type UntrustedFolder = {
  readonly place: string;
  readonly dir: string;
  /** The folder was trusted before, and grants more by now. */
  readonly was_trusted: boolean;
} & (FolderFindings | object);
