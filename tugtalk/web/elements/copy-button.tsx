/** A button that puts a text on the clipboard, and shows for a moment that it did. */
import { useSignal } from "@preact/signals";
import { useApp } from "../store/app.ts";
import { Icon } from "./icon.tsx";

const SHOWN_MS = 1_500;

type CopyButtonProps = {
  /** The text to copy; a function is asked when the button is pressed. */
  readonly text: string | (() => string);
  /** Its name: "Copy code". */
  readonly label?: string;
  /** The name is shown beside the icon. */
  readonly isNamed?: boolean;
};

export function CopyButton({ text, label = "Copy", isNamed = false }: CopyButtonProps) {
  const { toasts } = useApp();
  const isCopied = useSignal(false);
  const copy = async () => {
    const copying = copyText(typeof text === "string" ? text : text());
    if ((await toasts.attempt(copying.then(() => true))) === undefined) return;
    isCopied.value = true;
    setTimeout(() => {
      isCopied.value = false;
    }, SHOWN_MS);
  };
  const name = isCopied.value ? "Copied" : label;
  return (
    <button
      type="button"
      class={isNamed ? "copy-button" : "icon-button copy-button"}
      aria-label={name}
      title={name}
      onClick={() => void copy()}
    >
      <Icon name={isCopied.value ? "check" : "copy"} />
      {isNamed && name}
    </button>
  );
}

/** Rejects with the remedy for a person. */
export async function copyText(text: string): Promise<void> {
  if (!isSecureContext)
    throw new Error("The browser lets a page copy only over HTTPS, or from this machine.");
  await navigator.clipboard.writeText(text);
}
