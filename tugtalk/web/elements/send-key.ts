/** Which key sends. */
import { IS_TOUCH } from "./is-touch.ts";

/** Safari ends a composition before the key that ends it, which it gives this code. */
const COMPOSING_KEY_CODE = 229;

/** On a touch keyboard, which has no Shift+Enter, Enter begins a new line. */
export function isSendKey(event: KeyboardEvent): boolean {
  const { key, shiftKey, ctrlKey, metaKey, isComposing, keyCode } = event;
  if (key !== "Enter" || shiftKey || isComposing || keyCode === COMPOSING_KEY_CODE) return false;
  return !IS_TOUCH || ctrlKey || metaKey;
}
