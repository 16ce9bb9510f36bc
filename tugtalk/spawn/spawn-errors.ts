/** The errors with which a request of a host may be rejected. */
import type { OutboundMessage } from "../src/types.ts";

type ErrorMessage = Extract<OutboundMessage, { type: "error" }>;

/** How a bridge has ended: by a code, or by a signal. */
export type Exit = { readonly code: number | null; readonly signal: string | null };

/** The answer to a request is an `error`; `cause` is that message. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  override readonly cause: ErrorMessage;
  /** The code of the `error`, for example `queue_full`. */
  readonly code: ErrorMessage["code"];

  constructor(cause: ErrorMessage) {
    super(`${cause.code}: ${cause.message}`);
    this.cause = cause;
    this.code = cause.code;
  }
}

/** The bridge ended before it answered. */
export class EndedError extends Error {
  override readonly name = "EndedError";
  readonly exit: Exit;

  constructor(exit: Exit) {
    const how = exit.signal === null ? `with code ${exit.code}` : `by ${exit.signal}`;
    super(`tugtalk has ended ${how}, before its answer`);
    this.exit = exit;
  }
}
