/** Parts of a session for calls, questions and errors. */
import type { Unstamped } from "../src/messages/envelope.ts";
import type { ErrorMessage } from "../src/messages/error-message.ts";
import type { OutboundDraft } from "../src/types.ts";
import type { Asking, AskingPorts } from "./asking/asking.ts";
import type { AcpError } from "./json-rpc.ts";
import { late } from "./late.ts";
import type { Before } from "./updates/file-diff.ts";

const asking = late(() => require("./asking/asking.ts") as typeof import("./asking/asking.ts"));
const files = late(() => require("./file-before.ts") as typeof import("./file-before.ts"));
const failures = late(() => require("./start-failure.ts") as typeof import("./start-failure.ts"));

export function openAsking(ports: AskingPorts): Asking {
  return new (asking().Asking)(ports);
}

/** The text of the file that a call is about to read or change, as it stands. */
export function fileBefore(dir: string, message: OutboundDraft): Before {
  if (message.type !== "tool_use" && message.type !== "control_request_forward") return undefined;
  return files().fileBefore(dir, message);
}

/** Why a session does not start; undefined for an error after which it still may. */
export function startFailure(error: Unstamped<ErrorMessage>): AcpError | undefined {
  return failures().startFailure(error);
}
