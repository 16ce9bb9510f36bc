/**
 * A modal dialog of the browser: it holds the focus, and Escape closes it. Its children are a `.dialog-body`
 * and perhaps a `.dialog-actions`, or a form with both.
 */
import type { ComponentChildren, RefObject, TargetedEvent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "../store/app.ts";
import { Icon } from "./icon.tsx";
import { ToastList } from "./toast-list.tsx";
import { deliverTypedAhead, dropNextEnter } from "./typed-ahead.ts";

type DialogProps = {
  readonly title: string;
  /** Absent for a dialog of the page, which is closed. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
  /** Added to `dialog`: `wide`, `narrow`. */
  readonly class?: string;
  /** A click outside closes it: for one in which nothing is typed. */
  readonly isLight?: boolean;
};

export function Dialog({ title, children, class: name = "", isLight, ...rest }: DialogProps) {
  const app = useApp();
  const { onClose = app.close } = rest;
  const modal = useModal(onClose);
  return (
    <dialog
      {...modal}
      class={`dialog ${name}`}
      aria-label={title}
      closedby={isLight === true ? "any" : "closerequest"}
    >
      <header class="dialog-header">
        <h2>{title}</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </header>
      {children}
      {app.dialog.value !== undefined && <ToastList />}
    </dialog>
  );
}

type ModalProps = {
  readonly ref: RefObject<HTMLDialogElement | null>;
  readonly onCancel: (event: TargetedEvent<HTMLDialogElement>) => void;
  readonly onClose: () => void;
};

/** Makes a `dialog` modal while it is drawn, and then gives the focus back. */
export function useModal(onClose: () => void): ModalProps {
  const dialog = useRef<HTMLDialogElement>(null);
  // Not a frame later: until then, keys go to the element that has the focus.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const { current } = dialog;
    let isByEnter = false;
    const onKey = ({ key }: KeyboardEvent) => {
      isByEnter = key === "Enter";
    };
    const onPointer = () => {
      isByEnter = false;
    };
    current?.addEventListener("keydown", onKey, { capture: true });
    current?.addEventListener("pointerdown", onPointer, { capture: true });
    current?.showModal();
    focusFirst(current);
    deliverTypedAhead();
    return () => {
      // While it is there, the rest of the page takes no focus.
      current?.remove();
      if (opener instanceof HTMLElement) opener.focus();
      if (isByEnter) dropNextEnter();
    };
  }, []);
  // Before the browser closes it: Chromium then leaves the caret in the dialog, and the opener takes no text.
  const onCancel = ({ target, currentTarget }: TargetedEvent<HTMLDialogElement>) => {
    // A file chooser also sends `cancel`, from its field.
    if (target === currentTarget) onClose();
  };
  return { ref: dialog, onCancel, onClose };
}

/** The parts that get the focus, the best first: a prompt, the field of the dialog, any field, a way out, a part that scrolls. */
const FIRST = [
  ".prompt",
  ".dialog-body [data-first]",
  ".dialog-body :is(input:not([type=radio]), input:checked, textarea, select):enabled",
  ".dialog-actions button",
  ".dialog-body[tabindex]",
];

/** The browser would choose the button that closes the dialog. Typing replaces the text of a field. */
function focusFirst(dialog: HTMLDialogElement | null): void {
  const found = FIRST.map((selector) => dialog?.querySelector<HTMLElement>(selector));
  const first = found.find((element) => element);
  first?.focus();
  if (first instanceof HTMLInputElement) first.select();
}
