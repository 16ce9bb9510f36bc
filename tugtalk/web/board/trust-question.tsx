/** Shows all that a folder grants itself and would start, and asks whether it is trusted. */
import type { ComponentChildren } from "preact";
import type { FolderConfig, FolderFindings } from "../../client/host-api.ts";
import { showHidden } from "../../client/views/visible-text.ts";

export type TrustQuestionProps = {
  readonly place: string;
  readonly dir: string;
  /** It was trusted when it granted less. */
  readonly wasTrusted: boolean;
  /** Absent: nobody has looked. */
  readonly config?: FolderFindings;
};

export function TrustQuestion({ place, dir, wasTrusted, config }: TrustQuestionProps) {
  return (
    <div class="dialog-body trust">
      <p>
        <code class="trust-dir">{showHidden(dir)}</code>
        {place !== "local" && ` on ${place}`}{" "}
        {wasTrusted ? "grants more than when you trusted it." : "was never used here."} In a folder
        that you do not trust, its own files could let Claude run programs on this machine without a
        question.
      </p>
      {config === undefined ? <Unseen place={place} /> : <Findings config={config} />}
    </div>
  );
}

function Unseen({ place }: { readonly place: string }) {
  return <p class="trust-warning">What it grants and starts on {place} was not read.</p>;
}

function Findings({ config }: { readonly config: FolderFindings }) {
  const groups = groupsOf(config).filter(({ items }) => items.length > 0);
  if (groups.length === 0) return <p>Its settings grant nothing and start nothing.</p>;
  return (
    <>
      <p class="trust-warning">It brings along what runs or counts without a question:</p>
      {groups.map((group) => (
        <Group key={group.title} {...group} />
      ))}
    </>
  );
}

type FindingGroup = { readonly title: string; readonly items: readonly Row[] };

function groupsOf(config: FolderFindings): readonly FindingGroup[] {
  return [
    {
      title:
        "The token of this host. Claude is told not to read it; a command that runs here can, and so control all sessions",
      items: config.host_data.map((source) => ({ name: "", text: "", source })),
    },
    { title: "Permissions", items: config.permissions.map(settingRow) },
    { title: "Hooks", items: config.hooks.map(hookRow) },
    { title: "MCP servers", items: config.mcp_servers.map(serverRow) },
    { title: "Commands", items: config.commands.map(commandRow) },
    { title: "Plugins", items: config.plugins.map(settingRow) },
    { title: "Environment", items: config.env.map(variableRow) },
    { title: "Other settings", items: config.settings.map(settingRow) },
    {
      title: "Files that could not be read, so what they grant or start is not known",
      items: config.unreadable.map((source) => ({ name: "", text: "", source })),
    },
  ];
}

type Row = { readonly name: string; readonly text: string; readonly source: string };

const settingRow = ({ setting, value, source }: FolderConfig["permissions"][number]): Row => ({
  name: setting,
  text: value,
  source,
});

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

function Group({ title, items }: FindingGroup) {
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
