/** The state of a session as a dot. Pure. */
import type { SessionInfo } from "../../client/host-api.ts";

const DOTS: Readonly<Partial<Record<SessionInfo["state"], string>>> = {
  starting: "dot-working",
  running: "dot-working",
  compacting: "dot-working",
  stalled: "dot-working",
  requires_action: "dot-waiting",
  disconnected: "dot-failed",
  failed: "dot-failed",
};

/** A class of `dot`; none for a state in which nothing goes on. */
export function stateDot({ state, pending }: Pick<SessionInfo, "state" | "pending">): string {
  return pending > 0 ? "dot-waiting" : (DOTS[state] ?? "");
}
