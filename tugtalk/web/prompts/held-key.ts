/** The key N, pressed once more where the first one has opened the reason: no part of what is written there. */
import { useRef } from "preact/hooks";

/** Sooner than that, nobody begins to write, or pauses in a word. */
const QUIET_MS = 400;

/**
 * Keeps such a letter back from the empty field until the next one shows that it begins a word. The result
 * is called with each key that is pressed in the field.
 */
export function useHeldKey(): (event: KeyboardEvent, field: HTMLTextAreaElement | null) => void {
  const quietUntil = useRef(performance.now() + QUIET_MS);
  const held = useRef("");
  return (event, field) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (key.length !== 1 || ctrlKey || metaKey || altKey) return;
    const isSoon = performance.now() < quietUntil.current;
    if (isSoon && key.toLowerCase() === "n" && field?.value === "") {
      held.current = key;
      quietUntil.current = performance.now() + QUIET_MS;
      event.preventDefault();
      return;
    }
    if (isSoon) field?.setRangeText(held.current, 0, 0, "end");
    held.current = "";
    quietUntil.current = 0;
  };
}
