/** Where the focus goes that has no other place: to where messages are written, or to the main part of the page. */
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
