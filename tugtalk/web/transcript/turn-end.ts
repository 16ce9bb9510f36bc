/** The end of a turn and its cost, in words. Pure. */
import { allItems } from "../../client/agent-items.ts";
import { entryIn } from "../../client/claude-value.ts";
import type { TranscriptEntry, Turn } from "../../client/transcript-models.ts";
import { formatDollars, formatDuration, formatTokens } from "../elements/format-amount.ts";

/** Undefined for a turn that ended well, or whose end is unknown. */
export function outcomeOf({ status, end }: Turn): string | undefined {
  switch (status) {
    case "running":
    case "success":
    case "unknown":
      return undefined;
    case "cancelled":
      return entryIn(CANCELLED, end?.subtype ?? "") ?? "Interrupted";
    case "error":
      return entryIn(FAILED, end?.subtype ?? "") ?? "Failed";
  }
}

const CANCELLED: Readonly<Record<string, string>> = {
  exited: "Claude ended before it had answered",
  stalled: "Stopped: the model did not go on",
  line_lost: "The end of this turn was too long to be read",
  shutdown: "Stopped with the session",
  rejected: "Claude did not accept the message",
};

const FAILED: Readonly<Record<string, string>> = {
  error_max_turns: "Stopped: it took more steps than allowed",
  error_max_budget_usd: "Stopped: it cost more than allowed",
  error_max_structured_output_retries: "Failed: the output did not fit its schema",
};

/** Time, cost, tokens and model, as far as they are known. */
export function amountsOf({ cost = {}, model }: Turn): readonly string[] {
  const { durationMs, costUsd, outputTokens } = cost;
  const input = inputOf(cost);
  return [
    ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
    ...(costUsd === undefined ? [] : [formatDollars(costUsd)]),
    ...(outputTokens === undefined || input + outputTokens === 0
      ? []
      : [`${formatTokens(input)} in, ${formatTokens(outputTokens)} out`]),
    ...(model === undefined ? [] : [shortModel(model)]),
  ];
}

/** The input tokens, with the tokens that were read from the cache or written to it. */
function inputOf(cost: NonNullable<Turn["cost"]>): number {
  const { inputTokens = 0, cacheReadTokens = 0, cacheCreationTokens = 0 } = cost;
  return inputTokens + cacheReadTokens + cacheCreationTokens;
}

/** `claude-opus-4-5-20251101` as `opus-4-5`. */
function shortModel(model: string): string {
  return model.replace(/^claude-/, "").replace(/-\d{8}$/, "");
}

/** Claude's texts of a turn, as Markdown. */
export function answerOf({ items }: Turn): string {
  const texts = items.flatMap((item) => (item.kind === "text" ? [item.text] : []));
  return texts.join("\n\n");
}

/** How many tool calls a turn has, with the calls of its agents. */
export function callsOf(turn: Turn): number {
  return allItems(turn).filter(({ kind }) => kind === "tool").length;
}

/** The person's message of this entry; undefined if Claude began it. */
export function questionOf({ items }: TranscriptEntry): string | undefined {
  const asked = items.find((item) => item.kind === "user" && item.source === "host");
  return asked?.kind === "user" ? asked.text : undefined;
}
