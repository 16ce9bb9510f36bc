/** The keys that work everywhere on the page, as `KEYBINDINGS` has them. */
import { entryIn } from "../../client/claude-value.ts";
import { GLOBAL_KEYS } from "../../client/views/global-keys.ts";
import { withCode } from "../elements/lazy.tsx";
import { beginTypedAhead, dropTypedAhead } from "../elements/typed-ahead.ts";
import type { App } from "../store/app.ts";

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

/** The action of a key; undefined for a key of somebody else. */
export function keyAction(key: Key, isTyping: boolean): string | undefined {
  const name = keyName(key);
  if (isTyping && !name.startsWith("Ctrl+")) return undefined;
  return entryIn(GLOBAL_KEYS, name)?.[0];
}

/** The actions that may open nothing. All others open something, with a field or without. */
const LEADING: ReadonlySet<string> = new Set(["next_waiting", "open_prompts"]);

/** Runs the action of the key. Escape is left to the element that has the focus, and to the composer. */
export function handleKey(app: App, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || app.dialog.value !== undefined) return;
  const wanted = keyAction(event, isTyping(event.target));
  if (wanted === undefined || wanted === "interrupt") return;
  // The second time, the browser's own search is wanted.
  if (wanted === "find" && (app.session.value === undefined || app.isFinding.value)) return;
  event.preventDefault();
  const isOpening = !LEADING.has(wanted);
  if (isOpening) beginTypedAhead();
  withCode(
    app,
    () => import("./actions.ts"),
    ({ runKey }) => runKey(app, wanted, isOpening),
    dropTypedAhead,
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("input, textarea, select, [contenteditable], dialog *, [popover] *")
  );
}
