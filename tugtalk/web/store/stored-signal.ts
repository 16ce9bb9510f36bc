/** A signal whose value outlives the page, in the local storage of the browser. */
import { effect, type Signal, signal } from "@preact/signals";

/** `read` gives the initial value where what is stored is absent or of another shape. */
export function storedSignal<Value>(key: string, read: (stored: unknown) => Value): Signal<Value> {
  const stored = signal(read(parsed(localStorage.getItem(key))));
  effect(() => {
    try {
      localStorage.setItem(key, JSON.stringify(stored.value));
    } catch {
      // The storage is full or forbidden: the value lives as long as the page.
    }
  });
  return stored;
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
