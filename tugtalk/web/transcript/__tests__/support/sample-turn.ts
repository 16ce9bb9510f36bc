/** A turn that has ended, and texts of it. */
import type { TranscriptItem, Turn } from "../../../../client/transcript-models.ts";

export const TURN: Turn = {
  kind: "turn",
  key: "t",
  turnId: "t",
  trigger: "user",
  messageIds: [],
  status: "success",
  items: [],
  agents: {},
};

export function textItem(words: string, isStreaming = false, key = "m:0"): TranscriptItem {
  const status = isStreaming ? "streaming" : "complete";
  return { kind: "text", key, msgId: "m", blockIndex: 0, text: words, status };
}
