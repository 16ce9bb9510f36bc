/** Building the `error` message, and the error class that is thrown. */
import type { Unstamped } from "./envelope.ts";
import type { ErrorCode, ErrorMessage, ErrorReason } from "./error-message.ts";

type ErrorDraft = Unstamped<ErrorMessage>;

/** An `error` for the host. Recoverable, unless `fields` say otherwise. */
export function errorMessage(
  code: ErrorCode,
  message: string,
  fields: Partial<Omit<ErrorDraft, "type" | "code" | "message">> = {},
): ErrorDraft {
  return { type: "error", code, message, recoverable: true, ...fields };
}

/** A failure with the code that the host gets: no CLI, an exit, a timeout. */
export class TugtalkError extends Error {
  readonly code: ErrorCode;
  readonly reason: ErrorReason | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { reason?: ErrorReason; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "TugtalkError";
    this.code = code;
    this.reason = options.reason;
  }

  /** Wraps any thrown value. A value that is not a `TugtalkError` becomes `internal`. */
  static from(thrown: unknown): TugtalkError {
    if (thrown instanceof TugtalkError) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new TugtalkError("internal", message, { cause: thrown });
  }
}
