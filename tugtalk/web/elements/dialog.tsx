/**
 * A modal dialog of the browser: it holds the focus, and Escape closes it. Its children are a `.dialog-body`
 * and perhaps a `.dialog-actions`, or a form with both.
 */
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "../store/app.ts";
import { Icon } from "./icon.tsx";
import { ToastList } from "./toast-list.tsx";

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
  const dialog = useModal();
  return (
    <dialog
      ref={dialog}
      class={`dialog ${name}`}
      aria-label={title}
      closedby={isLight === true ? "any" : "closerequest"}
      onClose={onClose}
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

/** A dialog is modal for as long as it is drawn; then the focus is again where it was before. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    focusFirst(dialog.current);
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return dialog;
}

/** What a dialog is opened for, the best first: a prompt, a field, the way out of a question, what scrolls. */
const FIRST = [
  ".prompt",
  ".dialog-body :is(input:not([type=radio]), input:checked, textarea, select):enabled",
  ".dialog-actions button",
  ".dialog-body[tabindex]",
];

/** The browser would choose the button that closes the dialog. What is typed replaces the text of a field. */
function focusFirst(dialog: HTMLDialogElement | null): void {
  const found = FIRST.map((selector) => dialog?.querySelector<HTMLElement>(selector));
  const first = found.find((element) => element);
  first?.focus();
  if (first instanceof HTMLInputElement) first.select();
}
