/** The place of a focus that has no other place: the message field, or the main part of the page. */
import { messageField } from "./message-field.ts";

export function focusMain(): void {
  const main = document.querySelector("main");
  if (main !== null) main.tabIndex = -1;
  (messageField() ?? main)?.focus();
}

/** For a button that is gone once it is pressed. Who has pressed it by touch wants no keyboard. */
export function leaveButton(): void {
  if (document.activeElement?.matches("button:focus-visible") === true) focusMain();
}
