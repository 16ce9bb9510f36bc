/** The key N opens the field for the reason. A second N right after it is no part of the reason. */
import { useRef } from "preact/hooks";

/** Nobody begins to write sooner than this, or pauses so shortly between two words. */
const QUIET_MS = 400;

/**
 * Keeps the letter back from the empty field until the next letter shows that it begins a word. The caller
 * passes each key of the field to the returned function.
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
