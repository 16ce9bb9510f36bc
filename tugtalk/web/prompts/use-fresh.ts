/** Guards a prompt that has just appeared against a key or click that was meant for something else. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** About as long as a person needs to notice it. */
const FRESH_MS = 400;

/** True for a moment after the component has appeared. */
export function useFresh(): ReadonlySignal<boolean> {
  const isFresh = useSignal(true);
  useEffect(() => {
    const timer = setTimeout(() => {
      isFresh.value = false;
    }, FRESH_MS);
    return () => clearTimeout(timer);
  }, [isFresh]);
  return isFresh;
}
