/** What `reduceSession` takes: messages of the bridge, and the events of a host with its frames. */
import type { PermissionSuggestion } from "../src/protocol-types.ts";
import type { OutboundMessage } from "../src/types.ts";
import type { Fields } from "./claude-value.ts";
import type { EntryPage } from "./entry-pages.ts";
import type { PendingPrompt, QueueChange, QueuedMessageInfo, SessionInfo } from "./host-api.ts";

/** What every event of a host has in its data. */
type EventFields = {
  readonly sessionId: string;
  /** Equal to `sessionId`. */
  readonly stageId: string;
};

/** A person is asked: the prompt under another `type`. */
type Requested<Kind extends PendingPrompt["type"], Type extends string> = Omit<
  Extract<PendingPrompt, { type: Kind }>,
  "type"
> & { readonly type: Type };

type EndFields = EventFields & {
  readonly requestId: string;
  readonly toolUseId?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** A prompt was answered: by this or another client, with `allow`, `deny` or `answered`. */
type ApprovalResolved = EndFields & {
  readonly type: "approval-resolved";
  readonly decision: string;
  /** The name of the client that answered, if it has one. */
  readonly by?: string;
  /** The changes of permissions that came with an `allow`. */
  readonly updatedPermissions?: readonly PermissionSuggestion[];
};

/** A prompt needs no answer, for the reason of `control_request_cancel`. */
type ApprovalCancelled = EndFields & {
  readonly type: "approval-cancelled";
  readonly reason: string;
};

/** A user message waits in the host's queue, as the last one. */
type MessageQueued = EventFields & QueuedMessageInfo & { readonly type: "message-queued" };

/** A user message was written to the bridge. It has left the host's queue. */
type MessageSent = EventFields & {
  readonly type: "message-sent";
  readonly message_id: string;
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly sent_at: number;
};

type QueueChanged = EventFields &
  QueueChange & {
    readonly type: "queue-changed";
    /** In journals of older hosts: all that waits, in order; `held` is absent where it does not hold. */
    readonly queue?: readonly QueuedMessageInfo[];
  };

/** Claude will not read a message. It stays with the host until somebody takes it back. */
type MessageReturned = EventFields & QueuedMessageInfo & { readonly type: "message-returned" };

/** Somebody has taken back a message that was returned. */
type MessageTaken = EventFields & { readonly type: "message-taken"; readonly message_id: string };

/** Turns of the conversation before the session are put in front of its transcript. */
type HistoryAdded = EventFields & EntryPage & { readonly type: "history-added" };

/** What the host knows of the session has changed: the new values; null for a limit that is gone. */
type SessionChanged = EventFields &
  Partial<Omit<SessionInfo, "id" | "limit_usd">> & {
    readonly type: "session-changed";
    readonly limit_usd?: number | null;
  };

/** Something failed in the host. */
type HostError = EventFields & {
  readonly type: "host-error";
  readonly error: string;
  readonly code?: string;
};

/** What a host writes in the journal of a session besides the messages of its bridge. */
export type HostEvent =
  | Requested<"approval", "approval-requested">
  | Requested<"question", "question-requested">
  | Requested<"elicitation", "elicitation-requested">
  | Requested<"dialog", "dialog-requested">
  | ApprovalResolved
  | ApprovalCancelled
  | MessageQueued
  | MessageSent
  | QueueChanged
  | MessageReturned
  | MessageTaken
  | HistoryAdded
  | SessionChanged
  | HostError;

/** One entry of a host's journal as it is sent: session, epoch, number, type, data. */
export type HostFrame = {
  readonly s?: string;
  /** Absent, as `q`, on `resume`, `snapshot`, its parts and `ping`, which are not in the journal. */
  readonly e?: string | number;
  readonly q?: number;
  readonly t: string;
  readonly d?: unknown;
};

/** A message of a type that is not known here. */
export type OtherMessage = { readonly type: string } & Fields;

/** A message of the bridge, as it comes or without `ipc_version` and `seq`; an event or a frame of a host. */
export type SessionInput = OutboundMessage | HostEvent | HostFrame | OtherMessage;
