/** Scripted replies, with which a test replaces the model. message-stream.ts has their form on the wire. */

/** One content block; `pieces` are its streamed deltas and replace the reply's piece size. */
export type ReplyBlock =
  | { readonly type: "text"; readonly text: string; readonly pieces?: readonly string[] }
  | {
      readonly type: "thinking";
      readonly thinking: string;
      readonly signature?: string;
      readonly pieces?: readonly string[];
    }
  | {
      readonly type: "tool_use";
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      /** Absent means the next `toolu_01Mock0001`. */
      readonly id?: string;
      /** Pieces of the input's JSON text; they need not be valid JSON. */
      readonly pieces?: readonly string[];
    };

/** The token counts that a reply reports. */
export type ReplyUsage = {
  readonly input: number;
  readonly cacheWrite: number;
  readonly cacheRead: number;
  readonly output: number;
};

/**
 * A moment within a reply. Deltas and blocks are counted over the whole reply; zero of either is
 * right after `message_start`.
 */
export type ReplyPlace = { readonly afterDeltas: number } | { readonly afterBlocks: number };

/** Stops a reply at a place until the promise settles, so that a test decides when it continues. */
export type ReplyHold = {
  /** Absent: before the response starts, so the CLI waits for its headers. */
  readonly at?: ReplyPlace;
  readonly until: Promise<unknown>;
};

/**
 * Ends a stream too early: `abort` breaks the connection, `close` ends the body like a complete one, an
 * object is sent as an `error` event before the close. A hold at the same place comes first, so that a test
 * can see the bytes before the cut arrive.
 */
export type ReplyCut = {
  readonly at: ReplyPlace;
  readonly as?: "abort" | "close" | { readonly type: string; readonly message: string };
};

/** A message of the model, block by block. */
export type MessageReply = {
  readonly content: readonly ReplyBlock[];
  /** Characters of each delta; absent: one delta for each block. Never splits a character. */
  readonly pieceChars?: number;
  /**
   * Bytes of each write to the connection, at any place, so that a chunk may end inside a multi-byte
   * character. Absent: the runtime decides.
   */
  readonly wireBytes?: number;
  /** Pause after each delta. */
  readonly delayMs?: number;
  readonly holds?: readonly ReplyHold[];
  /** A place that the reply never reaches cuts nothing. */
  readonly cut?: ReplyCut;
  /** Absent: `tool_use` if a tool is called, else `end_turn`. */
  readonly stopReason?: string;
  readonly usage?: Partial<ReplyUsage>;
  /** Sends one `ping` event after `message_start`, as the real API does. */
  readonly ping?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An HTTP answer instead of a message: an API error, or any body with any status. */
export type HttpReply = {
  readonly status: number;
  /** The error's text, sent in the API's error shape. `body` replaces it. */
  readonly message?: string;
  /** A string is sent unchanged, any other value as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer waits for this. */
  readonly hold?: Promise<unknown>;
};

/** A plain string is a message with that one text. */
export type Reply = string | MessageReply | HttpReply;

/** True for an answer that is no message of the model. */
export function isHttpReply(reply: MessageReply | HttpReply): reply is HttpReply {
  return "status" in reply;
}

/** The reply in its long form. */
export function fromReply(reply: Reply): MessageReply | HttpReply {
  return typeof reply === "string" ? { content: [{ type: "text", text: reply }] } : reply;
}
