/** The level of the context and the cost of the session, in a line; each opens its panel. */
import { useComputed } from "@preact/signals";
import { viewContext } from "../../client/views/context-view.ts";
import { formatDollars, formatTokens } from "../elements/format-amount.ts";
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";

type UsageProps = { readonly session: SessionStore };

/** In percent: a compaction is near. */
const NEARLY_FULL = 80;

export function ContextButton({ session }: UsageProps) {
  const { open } = useApp();
  const context = useComputed(() => viewContext(session.state.value)).value;
  if (context === undefined) return null;
  const percent = context.percentage < 1 ? context.percentage : Math.round(context.percentage);
  return (
    <button
      type="button"
      class="quiet small numeric context-button"
      title={`Context: ${formatTokens(context.usedTokens)} of ${formatTokens(context.totalTokens)} tokens`}
      aria-label={`Context: ${percent} % used`}
      onClick={() => open("context")}
    >
      <span class="gauge">
        <span
          class={percent < NEARLY_FULL ? "gauge-level" : "gauge-level is-nearly-full"}
          style={{ width: `${context.percentage}%` }}
        />
      </span>
      {percent} %
    </button>
  );
}

export function CostButton({ session }: UsageProps) {
  const { open } = useApp();
  const cost = useComputed(() => session.state.value.cost.totalCostUsd).value;
  return (
    <button
      type="button"
      class="quiet small numeric"
      title="Cost of this session"
      aria-label={`Cost: ${formatDollars(cost)}`}
      onClick={() => open("cost")}
    >
      {formatDollars(cost)}
    </button>
  );
}
