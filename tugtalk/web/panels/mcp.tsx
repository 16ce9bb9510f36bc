/** The MCP servers of the session: the state of each, its tools, and the actions on it. */
import { useComputed, useSignal } from "@preact/signals";
import { viewMcpServers } from "../../client/views/mcp-view.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import type { McpServerView } from "../../client/web-components.ts";
import { BusyButton } from "../elements/busy-button.tsx";
import { useApp } from "../store/app.ts";
import { RefreshButton, useControlRequest } from "./control-request.tsx";
import { Panel, type SessionPanelProps } from "./panel.tsx";

export function McpServers({ session }: SessionPanelProps) {
  const servers = useComputed(() => viewMcpServers(session.state.value)).value;
  const request = useControlRequest(session, "mcp_status");
  return (
    <Panel title="MCP servers">
      {servers.length === 0 && <p class="muted">This session has no MCP servers.</p>}
      <ul class="list">
        {servers.map((server) => (
          <li key={server.name} class="stack">
            <Server session={session} server={server} />
          </li>
        ))}
      </ul>
      <RefreshButton request={request} />
    </Panel>
  );
}

type ServerProps = SessionPanelProps & { readonly server: McpServerView };

type StatusRow = { readonly text: string; readonly dot?: string };

const STATUSES: Readonly<Record<string, StatusRow>> = {
  connected: { text: "connected", dot: "dot-done" },
  pending: { text: "connecting", dot: "dot-working" },
  "needs-auth": { text: "needs a login", dot: "dot-waiting" },
  failed: { text: "failed", dot: "dot-failed" },
  disabled: { text: "disabled" },
};

function Server({ session, server }: ServerProps) {
  const { name, status, scope, version, error, toolNames } = server;
  const { text, dot = "" } = STATUSES[status] ?? { text: status };
  const details = [text, scope, version].filter((detail) => detail !== undefined);
  return (
    <>
      <div class="row">
        <span class={`dot ${dot}`} />
        <strong>{showHidden(name)}</strong>
        <span class="muted small grow">{details.join(" · ")}</span>
        <ServerButtons session={session} server={server} />
      </div>
      {error !== undefined && <p class="problem">{showHidden(error)}</p>}
      {toolNames.length > 0 && (
        <details>
          <summary class="small">
            {toolNames.length} {toolNames.length === 1 ? "tool" : "tools"}
          </summary>
          <p class="row tight">
            {toolNames.map((tool) => (
              <span key={tool.name} class="chip mono">
                {tool.label}
              </span>
            ))}
          </p>
        </details>
      )}
    </>
  );
}

function ServerButtons({ session, server: { name, status } }: ServerProps) {
  const { toasts } = useApp();
  const isBusy = useSignal(false);
  const ask = async (subtype: string, fields = {}) => {
    isBusy.value = true;
    const asked = session.command("control", { subtype, serverName: name, ...fields });
    await toasts.attempt(asked.then(() => session.command("control", { subtype: "mcp_status" })));
    isBusy.value = false;
  };
  const isDisabled = status === "disabled";
  const toggle = isDisabled ? "Enable" : "Disable";
  const button = { class: "small", isBusy: isBusy.value };
  return (
    <span class="buttons">
      {!isDisabled && (
        <BusyButton
          {...button}
          aria-label={`Reconnect ${showHidden(name)}`}
          onClick={() => void ask("mcp_reconnect")}
        >
          Reconnect
        </BusyButton>
      )}
      <BusyButton
        {...button}
        aria-label={`${toggle} ${showHidden(name)}`}
        onClick={() => void ask("mcp_toggle", { enabled: isDisabled })}
      >
        {toggle}
      </BusyButton>
    </span>
  );
}
