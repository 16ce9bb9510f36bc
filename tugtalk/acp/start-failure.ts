/** Why a session does not start, in the words of ACP. Pure. */
import type { Unstamped } from "../src/messages/envelope.ts";
import type { ErrorMessage } from "../src/messages/error-message.ts";
import { AcpError, type CodeName } from "./json-rpc.ts";

/** Reasons that the protocol has a code for. */
const CODE_NAMES: ReadonlyMap<string | undefined, CodeName> = new Map([
  ["not_logged_in", "loginNeeded"],
  ["no_such_session", "notFound"],
  ["missing_directory", "invalidParams"],
]);

/** Undefined for an error after which Claude may still start with the wanted conversation. */
export function startFailure(error: Unstamped<ErrorMessage>): AcpError | undefined {
  const { code, message, reason, recoverable } = error;
  if (recoverable && code !== "resume_failed") return undefined;
  const name = CODE_NAMES.get(reason) ?? "internal";
  return new AcpError(name, message, { tugtalk: { reason: reason ?? code } });
}
