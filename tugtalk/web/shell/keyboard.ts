/** The keys that work everywhere on the page, as `KEYBINDINGS` has them. */
import { KEYBINDINGS } from "../../client/views/keybindings.ts";
import type { App } from "../store/app.ts";
import { actionsFor } from "./actions.ts";

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** As the table of keys has it. Shift is a part of a character, and named with other keys only. */
export function keyName({ key, ctrlKey, metaKey, altKey, shiftKey }: Key): string {
  const isCharacter = key.length === 1;
  const parts = [
    ...(ctrlKey || metaKey ? ["Ctrl"] : []),
    ...(altKey ? ["Alt"] : []),
    ...(shiftKey && !isCharacter ? ["Shift"] : []),
    isCharacter ? key.toLowerCase() : key,
  ];
  return parts.join("+");
}

/** What a key does; undefined for a key of somebody else. */
export function keyAction(key: Key, isTyping: boolean): string | undefined {
  const name = keyName(key);
  if (isTyping && !name.startsWith("Ctrl+")) return undefined;
  return KEYBINDINGS.find((binding) => binding.context === "global" && binding.key === name)
    ?.action;
}

/** Does what the key is for. Escape is left to what has the focus, and to the composer. */
export function handleKey(app: App, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || app.dialog.value !== undefined) return;
  const wanted = keyAction(event, isTyping(event.target));
  const action = actionsFor(app).find(({ key }) => key !== undefined && key === wanted);
  // The second time, the browser's own search is wanted.
  if (action === undefined || (action.name === "find" && app.isFinding.value)) return;
  event.preventDefault();
  action.run(app);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("input, textarea, select, [contenteditable], dialog *, [popover] *")
  );
}
