/** Whether the database of the sessions can be reached, and how clients learn it. */
import type { Frame } from "./frame.ts";

/**
 * `away`: commands are refused. `lost`: in addition this host has ended its Claudes, since its lease was
 * over.
 */
export type DatabaseReach = "reached" | "away" | "lost";

export function reachFrame(session: string, reach: DatabaseReach): Frame {
  if (reach === "reached") return { session, type: "database_back", data: "{}" };
  const data = JSON.stringify({ claudes_ended: reach === "lost" });
  return { session, type: "database_away", data };
}
