/**
 * The cost of each turn, from a total that Claude counts upwards, and how full the context is.
 * Protocol reference §12.
 */

import type { Usage } from "../messages/conversation-lines.ts";
import { definedFields } from "../messages/envelope.ts";
import type { ModelUsage, ResultMessage } from "../protocol-types.ts";
import type { Spending } from "../routing/results.ts";
import type { OutboundDraft } from "../types.ts";

/** The cost of one Claude process, result by result. */
export class CostTracker {
  /** The total at the previous result, US dollars; undefined where it is not known. */
  #baseline: number | undefined;
  #usedTokens: number | undefined;
  #model: string | undefined;
  /** The usage in the newest result. */
  #modelUsage: Readonly<Record<string, ModelUsage>> = {};

  /** A new conversation starts at 0. The total of a resumed one may or may not include its past. */
  constructor(baseline: number | undefined) {
    this.#baseline = baseline;
  }

  /** A model call of the main conversation began, with this usage of the window. */
  startCall(model: string | undefined, usage: Usage | undefined): void {
    this.#model = model;
    if (usage === undefined) return;
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage;
    this.#usedTokens =
      (input_tokens ?? 0) + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0);
  }

  /** The conversation was cleared: the total starts again, and the window is empty. */
  reset(): void {
    this.#baseline = 0;
    this.#usedTokens = undefined;
  }

  /** Takes the total of one result and returns the share of its turn. */
  settle(result: ResultMessage): Spending {
    const turn_cost_usd = turnShare(result, this.#baseline);
    this.#baseline = result.total_cost_usd ?? this.#baseline;
    this.#modelUsage = result.modelUsage ?? this.#modelUsage;
    return definedFields({ turn_cost_usd, context: this.#context });
  }

  /** Adds how full the context is to the end of a message of the main conversation. */
  withContext(message: OutboundDraft): OutboundDraft {
    if (message.type !== "message_complete" || message.parent_tool_use_id !== undefined)
      return message;
    return definedFields({ ...message, context: this.#context });
  }

  /** The window of a model is known after a result with it. */
  get #context(): Spending["context"] {
    if (this.#usedTokens === undefined) return undefined;
    const window_tokens = contextWindow(this.#model, this.#modelUsage);
    return definedFields({ used_tokens: this.#usedTokens, model: this.#model, window_tokens });
  }
}

/** The turn's cost as Claude reports it, otherwise the growth of the total. */
function turnShare(result: ResultMessage, baseline: number | undefined): number | undefined {
  const { model_usage_since_last_result: turnUsage, total_cost_usd: total } = result;
  if (turnUsage !== undefined)
    return Object.values(turnUsage).reduce((sum, { costUSD }) => sum + (costUSD ?? 0), 0);
  if (total === undefined || baseline === undefined) return undefined;
  // A lower total has started again with this turn.
  return total < baseline ? total : total - baseline;
}

/** Keys may have a suffix that the name of the model lacks: `claude-opus-4-8[1m]`. */
function contextWindow(
  model: string | undefined,
  modelUsage: Readonly<Record<string, ModelUsage>>,
): number | undefined {
  const found = Object.entries(modelUsage).find(([key]) => key.replace(/\[.*\]$/, "") === model);
  return found?.[1].contextWindow;
}
