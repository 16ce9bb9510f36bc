/** Sessions and turns to export. */
import type { SessionInfo } from "../../../../client/host-api.ts";
import type { TranscriptItem, Turn } from "../../../../client/transcript-models.ts";
import { turn } from "../../../journal/__tests__/support/samples.ts";

export const INFO: SessionInfo = {
  id: "s-1",
  place: "local",
  dir: "/work",
  title: "Title",
  state: "idle",
  pending: 0,
  queued: 0,
  cost_usd: 0,
  created_at: 0,
  updated_at: 0,
};

export function turnWith(items: readonly TranscriptItem[], rest: Partial<Turn> = {}): Turn {
  return { ...turn("t1"), items, ...rest };
}

/** A whole text of Claude. */
export function said(text: string, key = "b"): TranscriptItem {
  return { kind: "text", key, msgId: "m", blockIndex: 0, text, status: "complete" };
}
