/** The dialog that sets the most dollars that a session may cost. */
import { useSignal } from "@preact/signals";
import type { SessionInfo } from "../../client/host-api.ts";
import { Dialog } from "../elements/dialog.tsx";
import { formatDollars } from "../elements/format-amount.ts";
import { TextField } from "../elements/text-field.tsx";
import { useApp } from "../store/app.ts";
import { useSubject } from "../store/session-info.ts";
import { typedLimit } from "./session-text.ts";

export function Limit() {
  const session = useSubject().value;
  return session === undefined ? null : <LimitForm session={session} />;
}

function LimitForm({ session: { id, cost_usd, limit_usd } }: { readonly session: SessionInfo }) {
  const { host, dialog, toasts } = useApp();
  const text = useSignal(limit_usd === undefined ? "" : String(limit_usd));
  const typed = typedLimit(text.value);
  const close = () => {
    dialog.value = undefined;
  };
  const save = async () => {
    try {
      await host.transport.command("update", { id, limit_usd: typed });
      close();
    } catch (error) {
      toasts.fail(error);
    }
  };
  return (
    <Dialog title="Limit of this session" onClose={close} class="narrow">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div class="dialog-body">
          <TextField label="US dollars" text={text} inputMode="decimal" placeholder="No limit" />
          {typed === undefined && <p class="problem">Enter an amount above 0, such as 2.50.</p>}
          <LimitHint cost={cost_usd} />
        </div>
        <footer class="dialog-actions">
          <button type="submit" class="primary" disabled={typed === undefined}>
            Save
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function LimitHint({ cost }: { readonly cost: number }) {
  return (
    <p class="hint">
      It has cost {formatDollars(cost)} so far. At the limit Claude begins no turn, and what waits
      is held. A turn that runs keeps the limit it began with.
    </p>
  );
}
