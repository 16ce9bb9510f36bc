/** Why Claude did not start, from its output: exit codes do not show it. Protocol reference §1, §7. */

import type { ErrorReason } from "../messages/error-message.ts";
import { TugtalkError } from "../messages/errors.ts";

const REASONS: readonly (readonly [RegExp, ErrorReason])[] = [
  [/No conversation found|session not found|requires a valid session ID/i, "no_such_session"],
  [/session.* is already in use/i, "id_in_use"],
  [/Not logged in|Invalid API key|Please run \/login/i, "not_logged_in"],
  [/unknown option|argument .* is invalid|Invalid session ID|cannot be used/i, "bad_flag"],
  [/--session-id (can only be used )?with|--json-schema is not valid/i, "bad_flag"],
  [/Invalid MCP config|Settings file not found/i, "bad_flag"],
  // A shell reports a missing file; the loader names it.
  [/GLIBC|shared library ld-|Error relocating|required file not found/i, "wrong_libc"],
];

/** The conversation exists, and the resume point does not. */
const NO_SUCH_MESSAGE = /No message found with message\.uuid/;

/** The error of a Claude that has no worktrees. */
const NO_WORKTREES = /unknown option '--worktree/;

/** The error for the host. `isResume`: the start named a conversation. */
export function startFailure(output: string, exit: string, isResume: boolean): TugtalkError {
  const reason = REASONS.find(([pattern]) => pattern.test(output))?.[1];
  const isGone = reason === "no_such_session" || NO_SUCH_MESSAGE.test(output);
  const code = isResume && isGone ? "resume_failed" : "claude_start_failed";
  const printed = output.trim() === "" ? "it printed nothing" : output.trim();
  const remedy = NO_WORKTREES.test(output) ? "; claude has worktrees since 2.1.197" : "";
  const message = `claude ended before it was ready (${exit}): ${printed}${remedy}`;
  const options = reason === undefined ? {} : { reason };
  return new TugtalkError(code, message, options);
}
