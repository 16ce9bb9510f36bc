/** Claude's present activity, in words. Pure. */
import { allItems } from "../../client/agent-items.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import type {
  ToolItem,
  TranscriptEntry,
  TranscriptItem,
  Turn,
} from "../../client/transcript-models.ts";
import { type Server, viewToolName } from "../../client/views/tool-name.ts";

export type Activity = {
  /** Another one is another activity, whose time begins anew. */
  readonly key: string;
  readonly text: string;
  /** For how long it goes on, as far as Claude says so. */
  readonly seconds?: number | undefined;
  /** About how many tokens Claude has written in this turn, while it writes. */
  readonly tokens?: number;
};

type State = Pick<ReducedSession, "status" | "openEntries" | "mcpServers">;

/** Undefined if nothing goes on, and while a prompt is open, which says it by itself. */
export function activityOf({ status, openEntries, mcpServers }: State): Activity | undefined {
  switch (status) {
    case "idle":
    case "requires_action":
    case "disconnected":
    case "failed":
    case "exited":
      return undefined;
    case "starting":
      return { key: status, text: "Claude is starting" };
    case "compacting":
      return { key: status, text: "Summarising the conversation so far" };
    case "stalled":
      return { key: status, text: "The model has said nothing for a while" };
    case "running": {
      const turn = openEntries.findLast(isRunningTurn);
      return turn === undefined ? undefined : activityIn(turn, mcpServers);
    }
  }
}

function isRunningTurn(entry: TranscriptEntry): entry is Turn {
  return entry.kind === "turn" && entry.status === "running";
}

function activityIn(turn: Turn, servers: readonly Server[]): Activity {
  const last = turn.items.at(-1);
  if (last?.kind === "thinking" && last.status === "streaming")
    return { key: last.key, text: "Thinking", tokens: writtenTokens(turn) };
  if (last?.kind === "text" && last.status === "streaming")
    return { key: last.key, text: "Generating", tokens: writtenTokens(turn) };
  if (last?.kind === "tool" && last.status === "streaming")
    return {
      key: last.key,
      text: `Preparing ${nameOf(last, servers)}`,
      tokens: writtenTokens(turn),
    };
  const [call, ...others] = turn.items.filter(isRunningCall);
  if (call === undefined) return { key: `${turn.key} model`, text: "Waiting for the model" };
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const { key, elapsedSeconds: seconds } = call;
  return { key, text: `Running ${nameOf(call, servers)}${more}`, seconds };
}

function isRunningCall(item: TranscriptItem): item is ToolItem {
  return item.kind === "tool" && item.status === "running";
}

function nameOf({ name }: ToolItem, servers: readonly Server[]): string {
  if (name === undefined) return "a tool";
  const { label, server } = viewToolName(name, servers);
  return server === undefined ? label : `${server} · ${label}`;
}

/** About as many characters have one token. */
const TOKEN_CHARS = 4;

/** Also in agents. */
function writtenTokens(turn: Turn): number {
  const chars = allItems(turn).reduce((sum, item) => sum + writtenChars(item), 0);
  return Math.round(chars / TOKEN_CHARS);
}

function writtenChars(item: TranscriptItem): number {
  if (item.kind === "tool") return item.partialInput?.length ?? 0;
  return item.kind === "text" || item.kind === "thinking" ? item.text.length : 0;
}
