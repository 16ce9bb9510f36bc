/** The hooks and the permission rules that apply in this session, as Claude lists them. */
import { filledText, objectOf, objectsOf } from "../../client/claude-value.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { RefreshButton, useControlRequest } from "./control-request.tsx";
import { Panel, Section, type SessionPanelProps } from "./panel.tsx";

export function Hooks({ session }: SessionPanelProps) {
  const responses = session.state.value.controlResponses;
  const hooksRequest = useControlRequest(session, "get_hooks_listing");
  const rulesRequest = useControlRequest(session, "list_permission_rules");
  const hooks = objectsOf(responses["get_hooks_listing"]?.["hooks"]);
  const rules = objectsOf(objectOf(responses["list_permission_rules"]?.["state"])?.["rules"]);
  return (
    <Panel title="Hooks and rules">
      <Section title="Permission rules">
        <Rows
          none="No rules. Those that are only for this session end with it."
          rows={rules.map((rule) => ({
            label: filledText(rule["behavior"]),
            text: filledText(rule["rule"]),
            source: filledText(rule["source"]),
          }))}
        />
        <RefreshButton request={rulesRequest} />
      </Section>
      <Section title="Hooks">
        <Rows
          none="No hooks."
          rows={hooks.map((hook) => ({
            label: filledText(hook["event"]),
            text: filledText(hook["displayText"]) ?? filledText(hook["commandText"]),
            source: filledText(hook["sourceLabel"]) ?? filledText(hook["source"]),
          }))}
        />
        <RefreshButton request={hooksRequest} />
      </Section>
    </Panel>
  );
}

type Row = Readonly<Record<"label" | "text" | "source", string | undefined>>;

function Rows({ rows, none }: { readonly rows: readonly Row[]; readonly none: string }) {
  if (rows.length === 0) return <p class="muted">{none}</p>;
  return (
    <ul class="list">
      {rows.map(({ label, text, source }) => (
        <li key={`${label} ${text} ${source}`} class="row">
          <span class="chip">{label}</span>
          <code class="grow">{showHidden(text ?? "")}</code>
          <span class="muted small">{showHidden(source ?? "")}</span>
        </li>
      ))}
    </ul>
  );
}
