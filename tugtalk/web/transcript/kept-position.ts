/** Keeps what a person reads where it is while entries are put in front of it. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Called while the entries are drawn: the document is then as it was before, and changes after. */
export function useKeptPosition(
  scroller: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
  firstKey: string | undefined,
): void {
  const drawnKey = useRef(firstKey);
  const first = drawnKey.current === firstKey ? undefined : list.current?.querySelector(".entry");
  const top = first?.getBoundingClientRect().top ?? 0;
  drawnKey.current = firstKey;
  useLayoutEffect(() => {
    if (scroller.current === null || first?.isConnected !== true) return;
    scroller.current.scrollTop += first.getBoundingClientRect().top - top;
  }, [firstKey]);
}
