/** How a session is, in words for the foot of its transcript. Pure. */
import { allItems } from "../../client/agent-items.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import type { TranscriptEntry, TranscriptItem } from "../../client/transcript-models.ts";

/** Undefined where there is nothing to say; what went wrong is said at the composer. */
export function statusText(status: ReducedSession["status"]): string | undefined {
  switch (status) {
    case "idle":
    case "disconnected":
    case "failed":
      return undefined;
    case "starting":
      return "Claude is starting…";
    case "running":
      return "Generating…";
    case "compacting":
      return "Summarising the conversation so far…";
    case "requires_action":
      return "Claude waits for your answer";
    case "stalled":
      return "The model has said nothing for a while. You can wait for it, or stop the turn.";
    case "exited":
      return "Claude is not running. The next message starts it.";
  }
}

/** About as many characters have one token. */
const TOKEN_CHARS = 4;

/** About how many tokens Claude has written in the turns that are open. */
export function writtenTokens(open: readonly TranscriptEntry[]): number {
  const running = open.filter((entry) => entry.kind === "turn" && entry.status === "running");
  const chars = running.flatMap(allItems).reduce((sum, item) => sum + writtenChars(item), 0);
  return Math.round(chars / TOKEN_CHARS);
}

function writtenChars(item: TranscriptItem): number {
  if (item.kind === "tool") return item.partialInput?.length ?? 0;
  return item.kind === "text" || item.kind === "thinking" ? item.text.length : 0;
}
