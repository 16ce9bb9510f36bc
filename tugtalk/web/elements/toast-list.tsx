/**
 * The notices of the page itself, where Tab leads to from the message field. While a modal dialog is open they
 * are in it, since all else is out of reach.
 */
import { useApp } from "../store/app.ts";
import type { Toast, Toasts } from "../store/toasts.ts";
import { leaveButton } from "./focus-main.ts";
import { Icon } from "./icon.tsx";

export function ToastList() {
  const { toasts } = useApp();
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.shown.value.map((toast) => (
        <ToastView key={toast.key} toast={toast} toasts={toasts} />
      ))}
    </div>
  );
}

type ToastProps = { readonly toast: Toast; readonly toasts: Toasts };

function ToastView({ toast: { key, severity, text, action }, toasts }: ToastProps) {
  const dismiss = () => {
    leaveButton();
    toasts.dismiss(key);
  };
  return (
    <div
      class={`card line small toast toast-${severity}`}
      onFocusIn={() => toasts.hold(key, true)}
      onFocusOut={() => toasts.hold(key, false)}
    >
      <span>{text}</span>
      {action !== undefined && (
        <button
          type="button"
          class="small"
          onClick={() => {
            dismiss();
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" class="icon-button" aria-label="Dismiss" onClick={dismiss}>
        <Icon name="cross" />
      </button>
    </div>
  );
}
