/** Listens to the window from before the component is seen: a key or file may come at once. */
import { useLayoutEffect, useRef } from "preact/hooks";

/** The listener of the latest drawing is called. */
export function useWindowListener<Name extends keyof WindowEventMap>(
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
  isCapturing = false,
): void {
  const latest = useRef(listener);
  latest.current = listener;
  useLayoutEffect(() => {
    const listen = (event: WindowEventMap[Name]) => latest.current(event);
    addEventListener(name, listen, isCapturing);
    return () => removeEventListener(name, listen, isCapturing);
  }, [name]);
}
