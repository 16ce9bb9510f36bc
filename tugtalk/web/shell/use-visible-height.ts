/**
 * Keeps the composer above the keyboard of a phone whose browser lays its keyboard over the page, as
 * Safari does. The others make the page smaller by themselves.
 */
import { useEffect } from "preact/hooks";

export function useVisibleHeight(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (viewport === null) return;
    const follow = () => {
      const { style } = document.documentElement;
      // Who has enlarged the page sees a part of it.
      const isCovered = viewport.scale === 1 && viewport.height < innerHeight;
      if (isCovered) style.setProperty("--visible-height", `${viewport.height}px`);
      else style.removeProperty("--visible-height");
    };
    viewport.addEventListener("resize", follow);
    return () => viewport.removeEventListener("resize", follow);
  }, []);
}
