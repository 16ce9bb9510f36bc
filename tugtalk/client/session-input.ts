/** The input of `reduceSession`: messages of the bridge, and the events of a host with its frames. */

import type { PermissionSuggestion } from "../src/protocol-types.ts";
import type { OutboundMessage } from "../src/types.ts";
import type { Fields } from "./claude-value.ts";
import type { EntryPage } from "./entry-pages.ts";
import type { QueueChange, QueuedMessageInfo, SessionInfo } from "./host-api.ts";
import type { RewoundFiles } from "./rewind-models.ts";

/** The fields that a host adds to a message of its bridge that opens or closes a prompt. */
export type PromptDetails = {
  /** When that was, in milliseconds since 1970. */
  readonly at?: number;
};

type Outbound<Type extends OutboundMessage["type"]> = Extract<OutboundMessage, { type: Type }>;

/** The messages about prompts as a host passes them on. */
export type HostPromptMessage =
  | (Outbound<"control_request_forward" | "elicitation_request" | "dialog_request"> & PromptDetails)
  | (Outbound<"control_request_cancel"> & PromptDetails)
  | (Outbound<"control_request_resolved"> &
      PromptDetails & {
        /** The name of the client that answered, if it has one. */
        readonly by?: string;
        /** The changes of permissions that came with an `allow`. */
        readonly updated_permissions?: readonly PermissionSuggestion[];
      });

/** A user message waits in the host's queue, as the last one. */
type MessageQueued = QueuedMessageInfo & { readonly type: "message_queued" };

/** A user message was written to the bridge. It has left the host's queue. */
export type MessageSent = {
  readonly type: "message_sent";
  readonly message_id: string;
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly sent_at: number;
  /**
   * The host has sent it by itself, after the usage limit. `again`: the message that it is once more;
   * without it Claude had begun to answer, and gets the message to continue.
   */
  readonly after_limit?: { readonly again?: string };
};

type QueueChanged = QueueChange & {
  readonly type: "queue_changed";
  /**
   * In journals of older hosts: all messages that wait, in order; `held` is absent if the queue is not held.
   */
  readonly queue?: readonly QueuedMessageInfo[];
};

/** Claude will not read a message. It stays with the host until somebody takes it back. */
type MessageReturned = QueuedMessageInfo & { readonly type: "message_returned" };

/** Somebody has taken back a message that was returned. */
type MessageTaken = { readonly type: "message_taken"; readonly message_id: string };

/** Turns of the conversation before the session are put in front of its transcript. */
type HistoryAdded = EntryPage & { readonly type: "history_added" };

/** The fields of a session that can be gone, which is null. */
type Removable = Pick<
  SessionInfo,
  "machine" | "limit_usd" | "archived_at" | "goes_on" | "limit_resets_at" | "goes_on_at"
>;

/** The new values of the changed fields. */
export type ChangedFields = Partial<Omit<SessionInfo, "id" | keyof Removable>> & {
  readonly [Name in keyof Removable]?: Removable[Name] | null;
};

/** The host's record of the session has changed. */
type SessionChanged = ChangedFields & { readonly type: "session_changed" };

/** A person has gone back to before a message. */
type Rewound = {
  readonly type: "session_rewound";
  readonly message_id: string;
  /** Its beginning. */
  readonly message: string;
  /** The files that were put back. Absent: none were asked for. */
  readonly files?: RewoundFiles;
  /** Whether Claude has forgotten the message and everything after it. */
  readonly forgotten: boolean;
};

/** Something failed in the host. */
type HostError = {
  readonly type: "host_error";
  readonly error: string;
  readonly code?: string;
};

/** The entries of the host in the journal of a session, beside the messages of its bridge. */
export type HostEvent =
  | MessageQueued
  | MessageSent
  | QueueChanged
  | MessageReturned
  | MessageTaken
  | HistoryAdded
  | SessionChanged
  | Rewound
  | HostError;

/** One entry of a host's journal as the host sends it: session, epoch, number, type, data. */
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
