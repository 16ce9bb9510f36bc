/**
 * How a client reaches the reference host, over any transport: commands, subscriptions, and the connection's
 * state.
 */
import type { Fields } from "../claude-value.ts";
import type { CommandAnswers } from "../command-answers.ts";
import type { CommandArguments } from "../command-arguments.ts";
import type { Cursor } from "../host-api.ts";
import type { HostCommand } from "../host-routes.ts";
import type { HostFrame } from "../session-input.ts";

/** The name of the subscription to the list of sessions and the events of all of them. */
export const ALL_SESSIONS = "*";

/**
 * `connecting`: no connection, or not all of them; it is tried again by itself. `connected`: as far as is
 * known. `closed`: by `close()`, for good.
 */
export type TransportStatus = "connecting" | "connected" | "closed";

export type SubscribeOptions = {
  /**
   * The last frame that the caller has; `0` for all that the host keeps. Absent: it begins with a snapshot.
   * Not for `*`.
   */
  readonly after?: Cursor | 0 | undefined;
  /** Called once if the host refuses the subscription, which is then over: the session is unknown. */
  readonly onRefused?: ((error: CommandError) => void) | undefined;
};

/** A connection with a host. All implementations behave alike. */
export type Transport = {
  /**
   * Runs a command; its session is the field `id`. Resolves with the body of the answer. Rejects with
   * `CommandError`, also if the connection was lost before the answer: then nobody knows whether the
   * command was run, and it is not sent again. Whoever repeats a `message` gives it a `client_msg_id`,
   * so that the host does it once.
   */
  command<Name extends HostCommand>(
    name: Name,
    ...fields: CommandArguments<Name>
  ): Promise<CommandAnswers[Name]>;
  /**
   * Subscribes to a session, or to `*`, and gives the way to end it. Frames come in order, none twice
   * and none missing, over lost connections too. Each new connection resumes after the last frame,
   * and says by a frame `resume` whether it could. After a `gap` a `snapshot`, always as one frame,
   * replaces all that is known. A second subscription to the same session takes the place of the
   * first; `openHostClient` shares one. The frame `session_deleted` is the last one of a session. `s` of
   * a frame is `session`, as it was subscribed to. No frame comes before this returns.
   */
  subscribe(
    session: string,
    options: SubscribeOptions,
    onFrame: (frame: HostFrame) => void,
  ): () => void;
  readonly status: TransportStatus;
  /** Calls back at each change of the status, and gives the way to stop it. */
  onStatus(listener: (status: TransportStatus) => void): () => void;
  /** Ends all subscriptions, and rejects the commands that are not answered. */
  close(): void;
};

/** Where a host is. */
export type HostAddress = {
  /** `http://127.0.0.1:PORT`; for a page of the host itself `location.origin`. */
  readonly url: string;
  /** The host's token, for scripts. A page has a cookie, and in a browser a WebSocket can send no token. */
  readonly token?: string | undefined;
  /** A name for this client, which the others get with its answers to prompts. */
  readonly clientName?: string | undefined;
  /**
   * Asked before a WebSocket is opened, which sends a page's cookie: whether the host is there. Never
   * rejects. Without it, the host is taken to be there.
   */
  readonly isHost?: (() => Promise<boolean>) | undefined;
  /** How often the host gives a sign of life, in ms; 15,000. After two missing ones it connects anew. */
  readonly pingMs?: number | undefined;
};

/** A command was refused, or not answered. */
export class CommandError extends Error {
  /** The status of HTTP; 0 without an answer. */
  readonly status: number;
  /** For programs. Without an answer `disconnected`, or `closed` after `close()`. */
  readonly code: string;
  /** The whole answer. */
  readonly body: Fields;

  constructor(status: number, body: Fields) {
    super(typeof body["error"] === "string" ? body["error"] : `the host answered ${status}`);
    this.name = "CommandError";
    this.status = status;
    this.code = typeof body["code"] === "string" ? body["code"] : "unknown";
    this.body = body;
  }
}

/** The connection was lost before the answer. */
export function disconnectedError(): CommandError {
  const error = "the connection with the host was lost before it answered";
  return new CommandError(0, { error, code: "disconnected" });
}

/** The transport was closed before the answer. */
export function closedError(): CommandError {
  return new CommandError(0, { error: "the connection was closed", code: "closed" });
}
