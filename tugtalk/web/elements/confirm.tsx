/** A dialog of the page that asks before something is done that is hard to undo. */
import type { ComponentChildren } from "preact";
import { useApp } from "../store/app.ts";
import { BusyButton } from "./busy-button.tsx";
import { Dialog } from "./dialog.tsx";

type ConfirmProps = {
  readonly title: string;
  /** The action, on its button. */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly isBusy?: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
};

export function Confirm({ title, action, onConfirm, isBusy = false, ...rest }: ConfirmProps) {
  const { close } = useApp();
  return (
    <Dialog title={title} class={rest.class ?? ""}>
      <div class="dialog-body">{rest.children}</div>
      <footer class="dialog-actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <BusyButton class="danger" isBusy={isBusy} onClick={onConfirm}>
          {action}
        </BusyButton>
      </footer>
    </Dialog>
  );
}
