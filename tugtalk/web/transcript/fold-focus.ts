/** Where the focus is when a turn is folded or unfolded. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { Folds } from "../store/folds.ts";

/** Folds a turn for a person, whose focus stays with it: the button that was pressed is replaced by another. */
let toggled: string | undefined;

export function toggleFold(folds: Folds, key: string): void {
  toggled = key;
  folds.toggle(key);
}

/** Focuses the button if it takes the place of the pressed button. */
export function useFoldFocus(key: string, button: RefObject<HTMLButtonElement | null>): void {
  useEffect(() => {
    if (toggled !== key) return;
    toggled = undefined;
    button.current?.focus();
  }, [key]);
}
