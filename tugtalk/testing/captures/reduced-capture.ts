/** The state that a client has after a captured conversation, or in the middle of one. */

import { join } from "node:path";
import { initialSession, reduceSession } from "../../client/reduce-session.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import type { SessionInput } from "../../client/session-input.ts";
import type { Fields } from "../../src/base/json.ts";
import { OutboundMessage } from "../../src/types.ts";
import { readJsonLines } from "../drivers/json-lines.ts";
import type { Emitted } from "../drivers/session-records.ts";
import { ACK } from "../drivers/test-session.ts";
import { readCapture } from "./capture-files.ts";
import { playCapture } from "./capture-run.ts";

/** The state after the messages of a bridge. */
export function reduceMessages(messages: readonly SessionInput[]): ReducedSession {
  return messages.reduce(reduceSession, initialSession);
}

/** The first message of a bridge, which the session does not emit. */
export function stampedAck(): SessionInput {
  return { ...ACK, type: "protocol_ack" };
}

/** The state after a session has emitted these. */
export function reduceEmitted(emitted: readonly Emitted[]): ReducedSession {
  return reduceMessages([stampedAck(), ...emitted]);
}

/** The state after a capture; with `isLast`, after the first message for which it holds. */
export async function reduceCapture(
  capture: string,
  isLast: (message: Emitted & Fields) => boolean = () => false,
): Promise<ReducedSession> {
  const emitted = await playCapture(await readCapture(capture));
  const end = emitted.findIndex((message) => isLast(message as Emitted & Fields));
  if (end === -1 && isLast.length > 0) throw new Error(`${capture} has no such message`);
  return reduceEmitted(emitted.slice(0, end === -1 ? undefined : end + 1));
}

/** The messages of a bridge in a session with a real Claude; long lists and texts are shortened. */
export async function realSession(name: string): Promise<OutboundMessage[]> {
  const path = join(import.meta.dir, "..", "fixtures", "real-sessions", `${name}.jsonl`);
  return readJsonLines(path).map((line) => OutboundMessage.parse(line));
}
