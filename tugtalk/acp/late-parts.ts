/** Parts of a session that a turn of text has no use for: each is loaded with the first call, question or error. */
import type { Unstamped } from "../src/messages/envelope.ts";
import type { ErrorMessage } from "../src/messages/error-message.ts";
import type { OutboundDraft } from "../src/types.ts";
import type { Asking, AskingPorts } from "./asking/asking.ts";
import type { AcpError } from "./json-rpc.ts";
import type { Before } from "./updates/file-diff.ts";

export function openAsking(ports: AskingPorts): Asking {
  const { Asking } = require("./asking/asking.ts") as typeof import("./asking/asking.ts");
  return new Asking(ports);
}

/** The text of the file that a call is about to read or change, as it stands. */
export function fileBefore(dir: string, message: OutboundDraft): Before {
  if (message.type !== "tool_use" && message.type !== "control_request_forward") return undefined;
  const files = require("./file-before.ts") as typeof import("./file-before.ts");
  return files.fileBefore(dir, message);
}

/** Why a session does not start; undefined for an error after which it still may. */
export function startFailure(error: Unstamped<ErrorMessage>): AcpError | undefined {
  const failures = require("./start-failure.ts") as typeof import("./start-failure.ts");
  return failures.startFailure(error);
}
