/** Which key sends. */

/** On a touch keyboard, which has no Shift+Enter, Enter begins a new line. */
export const IS_TOUCH = matchMedia("(hover: none) and (pointer: coarse)").matches;

/** Safari ends a composition before the key that ends it, which it gives this code. */
const COMPOSING_KEY_CODE = 229;

export function isSendKey(event: KeyboardEvent): boolean {
  const { key, shiftKey, ctrlKey, metaKey, isComposing, keyCode } = event;
  if (key !== "Enter" || shiftKey || isComposing || keyCode === COMPOSING_KEY_CODE) return false;
  return !IS_TOUCH || ctrlKey || metaKey;
}
