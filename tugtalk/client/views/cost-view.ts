/** The cost of a session. Pure. */

import type { ReducedSession } from "../reduced-session.ts";
import type { CostDisplayData, ModelCost } from "../web-components.ts";

/** Costs of the session, of the latest turn and of each model. */
export function viewCost({ cost }: Pick<ReducedSession, "cost">): CostDisplayData {
  const { latest, totalCostUsd } = cost;
  return {
    totalCostUsd,
    perTurnDelta: latest?.turn_cost_usd,
    durationMs: latest?.duration_ms,
    apiDurationMs: latest?.duration_api_ms,
    modelUsage: modelCosts(latest?.modelUsage ?? {}),
  };
}

type Usage = NonNullable<NonNullable<ReducedSession["cost"]["latest"]>["modelUsage"]>;

function modelCosts(usage: Usage): ModelCost[] {
  return Object.entries(usage)
    .map(([model, used]) => ({
      model,
      costUsd: used.costUSD ?? 0,
      inputTokens: used.inputTokens ?? 0,
      outputTokens: used.outputTokens ?? 0,
      cacheReadTokens: used.cacheReadInputTokens ?? 0,
      cacheCreationTokens: used.cacheCreationInputTokens ?? 0,
    }))
    .sort((one, other) => other.costUsd - one.costUsd);
}
