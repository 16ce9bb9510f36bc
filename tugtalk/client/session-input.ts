/** What `reduceSession` takes: messages of the bridge, and the events of a host with its frames. */
import type { OutboundMessage } from "../src/types.ts";
import type { Fields } from "./claude-value.ts";

/** Data of the events about prompts. */
type PromptEventFields = {
  readonly requestId: string;
  readonly turnId?: string;
  readonly parentToolUseId?: string;
  readonly toolUseId?: string;
  /** Milliseconds since 1970. */
  readonly createdAt?: number;
};

/** A permission prompt. */
type ApprovalRequested = PromptEventFields & {
  readonly type: "approval-requested";
  readonly toolName: string;
  readonly input: Fields;
  readonly suggestions?: readonly unknown[];
  readonly displayName?: string;
  readonly description?: string;
  readonly decisionReason?: string;
  readonly blockedPath?: string;
};

type QuestionRequested = PromptEventFields & {
  readonly type: "question-requested";
  readonly questions?: readonly unknown[];
  readonly input?: Fields;
};

type ElicitationRequested = PromptEventFields & {
  readonly type: "elicitation-requested";
  readonly serverName: string;
  readonly message: string;
  readonly url?: string;
  readonly requestedSchema?: Fields;
  readonly propertyOrder?: readonly string[];
};

type DialogRequested = PromptEventFields & {
  readonly type: "dialog-requested";
  readonly dialogKind: string;
  readonly payload: Fields;
};

/** A prompt was answered. */
type ApprovalResolved = {
  readonly type: "approval-resolved";
  readonly requestId: string;
  readonly toolUseId?: string;
  readonly decision: string;
  /** The client that answered. */
  readonly by?: string;
  readonly at?: number;
};

/** A prompt needs no answer. */
type ApprovalCancelled = {
  readonly type: "approval-cancelled";
  readonly requestId: string;
  readonly toolUseId?: string;
  readonly reason: string;
  readonly at?: number;
};

/** A user message waits in the host's queue. */
type MessageQueued = {
  readonly type: "message-queued";
  readonly message_id: string;
  readonly message?: string;
  readonly queued_at?: number;
};

/** A user message was written to the bridge. */
type MessageSent = {
  readonly type: "message-sent";
  readonly message_id: string;
  readonly message?: string;
};

/** All that waits in the host's queue, in order. */
type QueueChanged = {
  readonly type: "queue-changed";
  readonly queue: readonly {
    readonly message_id: string;
    readonly message?: string;
    readonly queued_at?: number;
  }[];
  /** The queue waits for a person. Absent: it goes on by itself. */
  readonly held?: boolean;
};

/** The host's own data of the session have changed. */
type SessionChanged = {
  readonly type: "session-changed";
  readonly claude_session_id?: string;
  readonly title?: string;
  readonly state?: string;
  readonly model?: string;
  readonly permission_mode?: string;
};

/** Something failed in the host. */
type HostError = {
  readonly type: "host-error";
  readonly error: string;
  readonly code?: string;
};

/** What a host writes in the journal of a session besides the messages of its bridge. */
export type HostEvent =
  | ApprovalRequested
  | QuestionRequested
  | ElicitationRequested
  | DialogRequested
  | ApprovalResolved
  | ApprovalCancelled
  | MessageQueued
  | MessageSent
  | QueueChanged
  | SessionChanged
  | HostError;

/** One entry of a host's journal as it is sent: session, epoch, number, type, data. */
export type HostFrame = {
  readonly s?: string;
  /** Absent, as `q`, on `resume`, `snapshot` and `ping`, which are not in the journal. */
  readonly e?: string | number;
  readonly q?: number;
  readonly t: string;
  readonly d?: unknown;
};

/** A message of a type that is not known here. */
export type OtherMessage = { readonly type: string } & Fields;

/** A message of the bridge, as it comes or without `ipc_version` and `seq`; an event or a frame of a host. */
export type SessionInput = OutboundMessage | HostEvent | HostFrame | OtherMessage;
