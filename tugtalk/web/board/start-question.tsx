/** The questions before a session is created or moved, for example whether the folder is trusted. */
import type { ComponentChildren } from "preact";
import type { FolderConfig, FolderFindings } from "../../client/host-api.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { BusyButton } from "../elements/busy-button.tsx";
import { Dialog } from "../elements/dialog.tsx";
import type { StartQuestion, StartRun } from "./start-run.ts";

type StartQuestionProps = {
  readonly run: StartRun;
  readonly question: StartQuestion;
};

/** The subject of each, and the words of the consent. */
const WORDS = {
  trust: { title: "Trust this folder?", agree: "Trust this folder" },
  "in-use": { title: "Already in use", agree: "Continue anyway" },
  "at-work": { title: "Claude is at work", agree: "Move anyway" },
  incomplete: { title: "Not the whole conversation", agree: "Move anyway" },
} as const satisfies Readonly<Record<StartQuestion["kind"], object>>;

export function StartQuestionView({ run, question }: StartQuestionProps) {
  const { title, agree } = WORDS[question.kind];
  const isOpen = question.kind !== "in-use" || question.session === undefined;
  return (
    <Dialog title={title}>
      <Question question={question} />
      <footer class="dialog-actions">
        <p class="problem grow" role="alert">
          {run.failure.value}
        </p>
        <button
          type="button"
          onClick={() => {
            run.question.value = undefined;
          }}
        >
          Back
        </button>
        {isOpen && (
          <BusyButton class="primary" isBusy={run.isBusy.value} onClick={() => void run.agree()}>
            {agree}
          </BusyButton>
        )}
      </footer>
    </Dialog>
  );
}

function Question({ question }: Pick<StartQuestionProps, "question">) {
  switch (question.kind) {
    case "trust":
      return <TrustQuestion {...question} />;
    case "in-use":
      return <InUse question={question} />;
    case "at-work":
      return (
        <div class="dialog-body">
          <p>
            Claude works, asks something, or has a task in the background. If the session moves now,
            that is ended, and what the turn has said so far is not known to Claude there.
          </p>
        </div>
      );
    case "incomplete":
      return (
        <div class="dialog-body">
          <p>
            If the session moves, Claude goes on with what there is, and what it is doing now is
            ended.
          </p>
          <p class="muted">{showHidden(question.reason)}</p>
        </div>
      );
  }
}

type InUseProps = { readonly question: Extract<StartQuestion, { kind: "in-use" }> };

function InUse({ question: { session } }: InUseProps) {
  return (
    <div class="dialog-body">
      <p>
        {session === undefined
          ? "Something wrote to this conversation in the last minute: it may be open in another Claude."
          : "A session of this host has this conversation open: go on there, or end it first."}{" "}
        Two that write one conversation would damage it.
      </p>
      {session !== undefined && <a href={`#/s/${session}`}>Go to that session</a>}
    </div>
  );
}

type TrustQuestionProps = Omit<Extract<StartQuestion, { kind: "trust" }>, "kind">;

/** Shows everything that a folder grants itself and would start, and asks whether the person trusts it. */
function TrustQuestion({ place, dir, wasTrusted, config }: TrustQuestionProps) {
  return (
    <div class="dialog-body">
      <p>
        <code>{showHidden(dir)}</code>
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
  return <p class="warn-text strong">What it grants and starts on {place} was not read.</p>;
}

function Findings({ config }: { readonly config: FolderFindings }) {
  const groups = groupsOf(config).filter(({ items }) => items.length > 0);
  if (groups.length === 0) return <p>Its settings grant nothing and start nothing.</p>;
  return (
    <>
      <p class="warn-text strong">It brings along what runs or counts without a question:</p>
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
    {
      title: "Hooks",
      items: config.hooks.map(({ event, matcher = "", command, source }) => ({
        name: matcher === "" ? event : `${event} (${matcher})`,
        text: command,
        source,
      })),
    },
    {
      title: "MCP servers",
      items: config.mcp_servers.map(({ command, ...row }) => ({ ...row, text: command })),
    },
    {
      title: "Commands",
      items: config.commands.map(({ setting, command: value, source }) =>
        settingRow({ setting, value, source }),
      ),
    },
    { title: "Plugins", items: config.plugins.map(settingRow) },
    {
      title: "Environment",
      items: config.env.map(({ value, ...row }) => ({ ...row, text: value })),
    },
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

function Group({ title, items }: FindingGroup) {
  return (
    <section>
      <h3 class="hint">{title}</h3>
      <ul class="trust-list stack">
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
      <small class="muted">{showHidden(source)}</small>
    </li>
  );
}
