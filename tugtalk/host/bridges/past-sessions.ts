/** Claude's own past conversations on a place, read by a bridge that starts no Claude and is closed then. */
import { RequestError } from "../../spawn/spawn-errors.ts";
import type { SessionList } from "../../src/messages/history-messages.ts";
import type { OutboundMessage } from "../../src/types.ts";
import { ApiError } from "../api/api-error.ts";
import type { Bridge, BridgeStarter } from "./bridge.ts";

/** The place and the folder to search. */
export type PastPlace = { readonly place: string; readonly dir: string };

type SessionListResult = Extract<OutboundMessage, { type: "session_list_result" }>;

/** One page, newest first; `before` is the `next` of the page before. Rejects with an `ApiError`. */
export async function listPastSessions(
  start: BridgeStarter,
  { place, dir }: PastPlace,
  page: Pick<SessionList, "limit" | "before"> = {},
): Promise<SessionListResult> {
  const bridge = await start(place);
  try {
    return await bridge.request({ type: "session_list", dir, ...page });
  } catch (error) {
    throw refusalOf(error);
  } finally {
    void bridge.close();
    await drain(bridge);
  }
}

function refusalOf(error: unknown): ApiError {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof RequestError
    ? new ApiError(400, "no_history", message)
    : new ApiError(503, "no_bridge", message);
}

/** Reads the messages of a bridge to its end. */
async function drain({ messages }: Bridge): Promise<void> {
  try {
    for await (const _ of messages);
  } catch {
    // The program was no bridge, for which the request was rejected.
  }
}
