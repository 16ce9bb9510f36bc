/** The cost of the session, and the rest of the limits of a plan. */
import { useComputed } from "@preact/signals";
import { numberOf, textOf } from "../../client/claude-value.ts";
import { viewCost } from "../../client/views/cost-view.ts";
import type { ModelCost } from "../../client/web-components.ts";
import { formatDollars, formatDuration, formatTokens } from "../elements/format-amount.ts";
import { useApp } from "../store/app.ts";
import { useSessionInfo } from "../store/session-info.ts";
import { RefreshButton, useControlRequest } from "./control-request.tsx";
import { Fact, Panel, Section, type SessionPanelProps } from "./panel.tsx";

export function Cost({ session }: SessionPanelProps) {
  const cost = useComputed(() => viewCost(session.state.value)).value;
  const { totalCostUsd, perTurnDelta, durationMs, apiDurationMs, modelUsage } = cost;
  const request = useControlRequest(session, "get_usage");
  const { open } = useApp();
  return (
    <Panel title="Cost and limits">
      <dl class="facts numeric">
        <dt>This session</dt>
        <dd>
          <strong>{formatDollars(totalCostUsd)}</strong>{" "}
          <button type="button" class="link-button" onClick={() => open("daily-costs")}>
            All sessions by day
          </button>
        </dd>
        <LimitFact session={session} />
        <Fact name="Latest turn" value={perTurnDelta} format={formatDollars} />
        <Fact name="Duration of the turn" value={durationMs} format={formatDuration} />
        <Fact name="Time of the API" value={apiDurationMs} format={formatDuration} />
      </dl>
      {modelUsage.length > 0 && (
        <Section title="By model">
          <Models models={modelUsage} />
        </Section>
      )}
      <Limits session={session} />
      <RefreshButton request={request} />
    </Panel>
  );
}

function LimitFact({ session }: SessionPanelProps) {
  const { open } = useApp();
  const limit = useSessionInfo(session).value?.limit_usd;
  return (
    <>
      <dt>Limit</dt>
      <dd>
        {limit === undefined ? "None" : formatDollars(limit)}{" "}
        <button type="button" class="link-button" onClick={() => open("limit")}>
          Change
        </button>
      </dd>
    </>
  );
}

/** Since Claude's process started. */
function Models({ models }: { readonly models: readonly ModelCost[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard.
    <section class="scroll" aria-label="Costs of each model" tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            <th>Model</th>
            <th class="number">Cost</th>
            <th class="number">In</th>
            <th class="number">Out</th>
            <th class="number">Cache read</th>
            <th class="number">Cache written</th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model.model}>
              <td>{model.model}</td>
              <td class="number">{formatDollars(model.costUsd)}</td>
              <td class="number">{formatTokens(model.inputTokens)}</td>
              <td class="number">{formatTokens(model.outputTokens)}</td>
              <td class="number">{formatTokens(model.cacheReadTokens)}</td>
              <td class="number">{formatTokens(model.cacheCreationTokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The latest state of a plan's rate limits. Nothing is drawn for an account without a plan. */
function Limits({ session }: SessionPanelProps) {
  const { rateLimit } = session.state.value;
  if (rateLimit === undefined) return null;
  const used = numberOf(rateLimit["utilization"]);
  const resetsAt = numberOf(rateLimit["resetsAt"]);
  return (
    <Section title="Limits of the plan">
      <p>
        {sentence(textOf(rateLimit["status"]), textOf(rateLimit["rateLimitType"]), used)}
        {resetsAt !== undefined && ` It starts anew ${timeOf(resetsAt)}.`}
      </p>
      {used !== undefined && (
        <span class="gauge">
          <span class="gauge-level" style={{ width: `${Math.min(100, 100 * used)}%` }} />
        </span>
      )}
    </Section>
  );
}

function sentence(status: string | undefined, type: string | undefined, used?: number): string {
  const limit = `${(type ?? "rate").replaceAll("_", " ")} limit`;
  if (status === "rejected") return `The ${limit} is reached.`;
  return used === undefined
    ? `The ${limit} is not reached.`
    : `${Math.round(100 * used)} % of the ${limit} is used.`;
}

/** Claude gives seconds. */
function timeOf(seconds: number): string {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  return format.format(seconds * 1000);
}
