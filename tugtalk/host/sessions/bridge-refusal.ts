/** A bridge's refusal of a request as the answer to a client. */
import { EndedError, RequestError } from "../../spawn/spawn-errors.ts";
import type { OutboundMessage } from "../../src/types.ts";
import { ApiError } from "../api/api-error.ts";
import { logError } from "../api/host-log.ts";

type Refusal = { readonly status: number; readonly code: string };

/** The refusals by the code of the bridge's `error`. */
const REFUSALS: Readonly<Partial<Record<RequestError["code"], Refusal>>> = {
  bad_message: { status: 400, code: "bad_request" },
  attachment_rejected: { status: 400, code: "attachment_rejected" },
  unknown_request: { status: 404, code: "unknown_request" },
  stale_request: { status: 409, code: "already_resolved" },
  claude_not_found: { status: 503, code: "no_claude" },
  queue_full: { status: 429, code: "queue_full" },
};

/** Why a request to a bridge failed, for the client that gave the command. */
export function bridgeRefusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof EndedError)
    return new ApiError(409, "not_running", "Claude has ended before it could do this");
  if (!(error instanceof RequestError)) throw error;
  const { status, code } = folderRefusal(error.cause) ??
    REFUSALS[error.code] ?? { status: 409, code: error.code };
  const { message } = error.cause;
  return new ApiError(status, code, message, code === "bad_request" ? fieldOf(message) : {});
}

/** The field that the bridge's message begins with. The command has the same field. */
function fieldOf(message: string): { readonly field?: string } {
  const [, field] = /^([\w.]+): /.exec(message) ?? [];
  return field === undefined ? {} : { field };
}

/** The refusal for any error. */
export function refusalOf(error: unknown): ApiError {
  try {
    return bridgeRefusal(error);
  } catch {
    // A mistake of ours, or a journal that cannot be written.
    logError(error);
    return new ApiError(500, "internal_error", "the host has failed; its log says more");
  }
}

/** The reason why Claude cannot be started, if this message reports one. */
export function startFailure(message: OutboundMessage): ApiError | undefined {
  if (message.type !== "error") return undefined;
  const { code, message: text, recoverable } = message;
  if (code === "claude_not_found") return new ApiError(503, "no_claude", text);
  if (code === "resume_failed") return new ApiError(409, code, text);
  if (recoverable) return undefined;
  const refusal = folderRefusal(message) ?? { status: 503, code };
  return new ApiError(refusal.status, refusal.code, text);
}

/** The refusal that the host itself gives for a missing folder, so that every place gives the same. */
function folderRefusal({ reason }: RequestError["cause"]): Refusal | undefined {
  return reason === "missing_directory" ? { status: 400, code: "no_such_dir" } : undefined;
}

/** Gives the response of a `control_result`; throws 409 if Claude has refused. */
export function acceptedResponse(result: {
  readonly ok: boolean;
  readonly response?: Readonly<Record<string, unknown>> | undefined;
  readonly error?: string | undefined;
}): Readonly<Record<string, unknown>> {
  if (!result.ok) throw new ApiError(409, "refused", result.error ?? "Claude has refused");
  return result.response ?? {};
}
