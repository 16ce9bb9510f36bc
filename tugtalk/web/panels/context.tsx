/** The parts of the model's context. */
import { useComputed } from "@preact/signals";
import { viewContext } from "../../client/views/context-view.ts";
import type { ContextCategory, ContextGaugeData } from "../../client/web-components.ts";
import { formatTokens } from "../elements/format-amount.ts";
import { RefreshButton, useControlRequest } from "./control-request.tsx";
import { Panel, type SessionPanelProps } from "./panel.tsx";

export function Context({ session }: SessionPanelProps) {
  const context = useComputed(() => viewContext(session.state.value)).value;
  const request = useControlRequest(session, "get_context_usage");
  return (
    <Panel title="Context">
      {context === undefined ? (
        <p class="muted">Nothing was measured yet. It is known after the first turn.</p>
      ) : (
        <Usage context={context} />
      )}
      <RefreshButton request={request} />
    </Panel>
  );
}

function Usage({ context }: { readonly context: ContextGaugeData }) {
  const { model, usedTokens, totalTokens, percentage, categories } = context;
  return (
    <>
      <p class="numeric">
        <strong class="context-percent">{percentage} %</strong> used: {formatTokens(usedTokens)} of{" "}
        {formatTokens(totalTokens)} tokens
        {model !== undefined && <span class="muted"> · {model}</span>}
      </p>
      {categories.length > 0 && <Categories categories={categories} total={totalTokens} />}
    </>
  );
}

type CategoriesProps = {
  readonly categories: readonly ContextCategory[];
  readonly total: number;
};

/** Parts that are loaded only when needed take no room in the bar. */
function Categories({ categories, total }: CategoriesProps) {
  return (
    <>
      <div class="context-bar" aria-hidden="true">
        {categories
          .filter(({ kind }) => kind === "used" || kind === "buffer")
          .map(({ name, kind, tokens }) => (
            <span
              key={name}
              class={`context-part context-${kind}`}
              style={{ width: `${(100 * tokens) / total}%` }}
            />
          ))}
      </div>
      <table class="table">
        <thead>
          <tr>
            <th>What</th>
            <th class="number">Tokens</th>
            <th class="number">Share</th>
          </tr>
        </thead>
        <tbody>
          {categories.map(({ name, kind, tokens }) => (
            <tr key={name} class={kind === "used" ? "" : "muted"}>
              <td>
                <span class={`context-key context-${kind}`} /> {name}
              </td>
              <td class="number">{formatTokens(tokens)}</td>
              <td class="number">{((100 * tokens) / total).toFixed(1)} %</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
