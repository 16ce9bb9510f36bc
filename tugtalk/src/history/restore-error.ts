/** Why a conversation is not written. */
import { TugtalkError } from "../messages/errors.ts";
import type { RestoreRefusal } from "../messages/transcript-messages.ts";

export class RestoreError extends Error {
  readonly reason: RestoreRefusal;

  constructor(reason: RestoreRefusal, message: string) {
    super(message);
    this.name = "RestoreError";
    this.reason = reason;
  }

  /** Wraps any thrown value: without a refusal by a rule it is one by the system. */
  static from(thrown: unknown): RestoreError {
    if (thrown instanceof RestoreError) return thrown;
    const { reason, message } = TugtalkError.from(thrown);
    return new RestoreError(reason === "missing_directory" ? reason : "failed", message);
  }
}
