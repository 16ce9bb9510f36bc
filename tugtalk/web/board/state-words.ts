/** States of a session in words. Pure. */
import type { SessionInfo } from "../../client/host-api.ts";

const WORDS: Readonly<Record<SessionInfo["state"], string>> = {
  starting: "Starting",
  idle: "Idle",
  running: "Working",
  compacting: "Compacting the conversation",
  requires_action: "Waits for you",
  stalled: "Waiting for the model",
  disconnected: "Connection lost",
  exited: "Ended",
  failed: "Could not be started",
};

export function stateWords({ state, pending }: Pick<SessionInfo, "state" | "pending">): string {
  return pending > 0 ? WORDS.requires_action : WORDS[state];
}
