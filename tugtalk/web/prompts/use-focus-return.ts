/** Keeps the focus in the region when the card that had it is gone. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** `shownId`: what the region shows, undefined for nothing. */
export function useFocusReturn(
  region: RefObject<HTMLElement | null>,
  shownId: string | undefined,
): void {
  const previous = useRef<string | undefined>(undefined);
  useEffect(() => {
    const isReplaced = previous.current !== undefined && previous.current !== shownId;
    previous.current = shownId;
    if (isReplaced && document.activeElement === document.body)
      region.current?.focus({ preventScroll: true });
  }, [region, shownId]);
}
