/** The dialogs that change the host's record of a session: its title, and the most that it may cost. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { CommandArguments } from "../../client/command-arguments.ts";
import type { SessionInfo } from "../../client/host-api.ts";
import { Dialog } from "../elements/dialog.tsx";
import { formatDollars } from "../elements/format-amount.ts";
import { TextField } from "../elements/text-field.tsx";
import { useApp } from "../store/app.ts";
import { typedLimit } from "./session-text.ts";

type SubjectProps = { readonly session: SessionInfo };

export function Rename({ session: { id, title } }: SubjectProps) {
  const text = useSignal(title);
  return (
    <UpdateForm
      title="Rename session"
      action="Rename"
      fields={text.value.trim() === "" ? undefined : { id, title: text.value }}
    >
      <TextField label="Title" text={text} maxLength={500} />
    </UpdateForm>
  );
}

export function Limit({ session: { id, cost_usd, limit_usd } }: SubjectProps) {
  const text = useSignal(limit_usd === undefined ? "" : String(limit_usd));
  const typed = typedLimit(text.value);
  return (
    <UpdateForm
      title="Limit of this session"
      class="narrow"
      action="Save"
      fields={typed === undefined ? undefined : { id, limit_usd: typed }}
    >
      <TextField label="US dollars" text={text} inputMode="decimal" placeholder="No limit" />
      {typed === undefined && <p class="problem">Enter an amount above 0, such as 2.50.</p>}
      <p class="hint">
        It has cost {formatDollars(cost_usd)} so far. At the limit Claude begins no turn, and what
        waits is held. A turn that runs keeps the limit it began with.
      </p>
    </UpdateForm>
  );
}

type UpdateFormProps = {
  readonly title: string;
  readonly class?: string;
  /** On the button. */
  readonly action: string;
  /** The fields of the command `update`; undefined while they are not complete. */
  readonly fields: CommandArguments<"update">[0] | undefined;
  readonly children: ComponentChildren;
};

function UpdateForm({ title, class: name = "", action, fields, children }: UpdateFormProps) {
  const { host, close, toasts } = useApp();
  const save = async () => {
    if (fields === undefined) return;
    if ((await toasts.attempt(host.transport.command("update", fields))) !== undefined) close();
  };
  return (
    <Dialog title={title} class={name}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div class="dialog-body">{children}</div>
        <footer class="dialog-actions">
          <button type="submit" class="primary" disabled={fields === undefined}>
            {action}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
