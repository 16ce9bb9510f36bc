/** Shows all that the settings of a folder would start, and asks whether it is trusted. */
import type { ComponentChildren } from "preact";
import type { FolderConfig } from "../../client/host-api.ts";
import { showHidden } from "../../client/views/visible-text.ts";

export type TrustQuestionProps = {
  readonly place: string;
  readonly dir: string;
  /** Undefined: nobody has looked. */
  readonly config: FolderConfig | undefined;
};

export function TrustQuestion({ place, dir, config }: TrustQuestionProps) {
  return (
    <div class="dialog-body trust">
      <p>
        <code class="trust-dir">{showHidden(dir)}</code>
        {place !== "local" && ` on ${place}`} was never used here. In a folder that you do not
        trust, its own settings could run programs on this machine.
      </p>
      {config === undefined ? <Unseen place={place} /> : <Findings config={config} />}
    </div>
  );
}

function Unseen({ place }: { readonly place: string }) {
  return <p class="trust-warning">What it would start on {place} was not read.</p>;
}

function Findings({ config }: { readonly config: FolderConfig }) {
  const { hooks, mcp_servers, commands, env, unreadable } = config;
  const count = [hooks, mcp_servers, commands, env, unreadable].flat().length;
  if (count === 0) return <p>Its settings start nothing.</p>;
  return (
    <>
      <p class="trust-warning">Its settings make Claude start or do this:</p>
      <Group title="Hooks" items={hooks.map(hookRow)} />
      <Group title="MCP servers" items={mcp_servers.map(serverRow)} />
      <Group title="Commands" items={commands.map(commandRow)} />
      <Group title="Environment" items={env.map(variableRow)} />
      <Group
        title="Files that could not be read, so what they start is not known"
        items={unreadable.map((source) => ({ name: "", text: "", source }))}
      />
    </>
  );
}

type Row = { readonly name: string; readonly text: string; readonly source: string };

const hookRow = ({ event, matcher, command, source }: FolderConfig["hooks"][number]): Row => ({
  name: matcher === undefined || matcher === "" ? event : `${event} (${matcher})`,
  text: command,
  source,
});

const serverRow = ({ name, command, source }: FolderConfig["mcp_servers"][number]): Row => ({
  name,
  text: command,
  source,
});

const commandRow = ({ setting, command, source }: FolderConfig["commands"][number]): Row => ({
  name: setting,
  text: command,
  source,
});

const variableRow = ({ name, value, source }: FolderConfig["env"][number]): Row => ({
  name,
  text: value,
  source,
});

function Group({ title, items }: { readonly title: string; readonly items: readonly Row[] }) {
  if (items.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul class="trust-list">
        {items.map((row, index) => (
          // Nothing in it is unique, and the list never changes.
          <Finding key={index} row={row} />
        ))}
      </ul>
    </section>
  );
}

function Finding({ row: { name, text, source } }: { readonly row: Row }): ComponentChildren {
  return (
    <li>
      {name !== "" && <strong>{showHidden(name)}</strong>}
      {text !== "" && <pre>{showHidden(text)}</pre>}
      <small>{showHidden(source)}</small>
    </li>
  );
}
