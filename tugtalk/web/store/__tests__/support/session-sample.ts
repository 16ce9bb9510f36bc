/** A session as a host sends it. */
import type { SessionInfo } from "../../../../client/host-api.ts";

const SAMPLE: SessionInfo = {
  id: "s1",
  place: "local",
  dir: "/home/ada/engine",
  title: "Engine",
  state: "idle",
  pending: 0,
  queued: 0,
  cost_usd: 0,
  created_at: 1_000,
  updated_at: 2_000,
};

export function sampleSession(fields: Partial<SessionInfo> = {}): SessionInfo {
  return { ...SAMPLE, ...fields };
}
