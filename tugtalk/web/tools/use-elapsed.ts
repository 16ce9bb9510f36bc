/** A time that goes on between the reports of it. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

const TICK_MS = 1_000;

/** The time in milliseconds, counted on from the last report. */
export function useElapsed(toldMs: number | undefined, goesOn: boolean): number | undefined {
  const now = useSignal(Date.now());
  const told = useRef({ ms: toldMs, at: Date.now() });
  if (told.current.ms !== toldMs) told.current = { ms: toldMs, at: Date.now() };
  const isTicking = goesOn && toldMs !== undefined;
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => {
      now.value = Date.now();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [isTicking]);
  return isTicking ? toldMs + Math.max(now.value - told.current.at, 0) : toldMs;
}
