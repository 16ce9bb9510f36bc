/** The tools, commands, agents and the like of this session. */
import { useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { ToolName } from "../../client/prompt-models.ts";
import { viewHelp } from "../../client/views/help-view.ts";
import type { AgentEntry, SlashCommandEntry } from "../../client/web-components.ts";
import { bound } from "../elements/bound.ts";
import { Panel, type SessionPanelProps } from "./panel.tsx";

export function Help({ session }: SessionPanelProps) {
  const help = useComputed(() => viewHelp(session.state.value)).value;
  const filter = useSignal("");
  const fits = (...texts: readonly (string | undefined)[]) =>
    texts.some((text) => text?.toLowerCase().includes(filter.value.toLowerCase().trim()));
  const commands = help.slashCommands.filter(({ name, description, aliases }) =>
    fits(name, description, ...aliases),
  );
  const agents = help.agents.filter(({ name, description }) => fits(name, description));
  const tools = help.tools.filter(({ label, server }) => fits(label, server));
  return (
    <Panel title="Help" class="wide">
      <input type="search" aria-label="Filter" placeholder="Filter" {...bound(filter)} />
      <Group title="Slash commands" count={commands.length}>
        <Commands commands={commands} />
      </Group>
      <Group title="Agents" count={agents.length}>
        <Agents agents={agents} />
      </Group>
      <Group title="Tools" count={tools.length}>
        <Names names={tools.map(toolText)} />
      </Group>
      <Names title="Skills" names={help.skills.filter((name) => fits(name))} />
      <Names title="Plugins" names={help.plugins.filter((name) => fits(name))} />
      {help.version !== undefined && <p class="muted small">Claude Code {help.version}</p>}
      {help.version === undefined && help.tools.length === 0 && (
        <p class="muted">More is known once Claude has started.</p>
      )}
    </Panel>
  );
}

function toolText({ label, server }: ToolName): string {
  return server === undefined ? label : `${server}: ${label}`;
}

type GroupProps = {
  readonly title: string;
  readonly count: number;
  readonly children: ComponentChildren;
};

function Group({ title, count, children }: GroupProps) {
  if (count === 0) return null;
  return (
    <section class="stack">
      <h3>
        {title} <span class="muted small">{count}</span>
      </h3>
      {children}
    </section>
  );
}

function Commands({ commands }: { readonly commands: readonly SlashCommandEntry[] }) {
  return (
    <ul class="help-list">
      {commands.map(({ name, category, description, argumentHint }) => (
        <li key={name}>
          <span class="mono">
            /{name} {argumentHint !== undefined && <span class="muted">{argumentHint}</span>}
          </span>
          {category === "skill" && <span class="chip">skill</span>}
          {description !== undefined && <p class="hint">{description}</p>}
        </li>
      ))}
    </ul>
  );
}

function Agents({ agents }: { readonly agents: readonly AgentEntry[] }) {
  return (
    <ul class="help-list">
      {agents.map(({ name, description, model }) => (
        <li key={name}>
          <span class="mono">{name}</span>{" "}
          {model !== undefined && <span class="chip">{model}</span>}
          {description !== undefined && <p class="hint">{description}</p>}
        </li>
      ))}
    </ul>
  );
}

type NamesProps = { readonly names: readonly string[]; readonly title?: string };

function Names({ names, title }: NamesProps) {
  if (names.length === 0) return null;
  const chips = (
    <p class="row tight">
      {names.map((name) => (
        <span key={name} class="chip mono">
          {name}
        </span>
      ))}
    </p>
  );
  if (title === undefined) return chips;
  return (
    <Group title={title} count={names.length}>
      {chips}
    </Group>
  );
}
