/**
 * Why Claude did not start, from its own words. The words are all there is: exit codes do not tell.
 * Protocol reference §1, §7.
 */
import { type ErrorReason, TugtalkError } from "../messages/errors.ts";

const REASONS: readonly (readonly [RegExp, ErrorReason])[] = [
  [/No conversation found|session not found|requires a valid session ID/i, "no_such_session"],
  [/session.* is already in use/i, "id_in_use"],
  [/Not logged in|Invalid API key|Please run \/login/i, "not_logged_in"],
  [/unknown option|argument .* is invalid|Invalid session ID|cannot be used/i, "bad_flag"],
  [/--session-id (can only be used )?with|--json-schema is not valid/i, "bad_flag"],
  [/Invalid MCP config|Settings file not found/i, "bad_flag"],
  // A shell that starts the executable says that a file is missing; the loader says which.
  [/GLIBC|shared library ld-|Error relocating|required file not found/i, "wrong_libc"],
];

/** The conversation is there, and the place in it is not. */
const NO_SUCH_MESSAGE = /No message found with message\.uuid/;

/** The failure of a start, as the host sees it. `goesOn`: a conversation was to be taken up again. */
export function startFailure(words: string, exit: string, goesOn: boolean): TugtalkError {
  const reason = REASONS.find(([pattern]) => pattern.test(words))?.[1];
  const isGone = reason === "no_such_session" || NO_SUCH_MESSAGE.test(words);
  const code = goesOn && isGone ? "resume_failed" : "claude_start_failed";
  const said = words.trim() === "" ? "it said nothing" : words.trim();
  const options = reason === undefined ? {} : { reason };
  return new TugtalkError(code, `claude ended before it was ready (${exit}): ${said}`, options);
}
