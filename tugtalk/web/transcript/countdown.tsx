/** How long something still lasts. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatDuration } from "../elements/format-amount.ts";

const TICK_MS = 1_000;

/** `until` in milliseconds since 1970. Draws nothing when it is over. */
export function Countdown({ until }: { readonly until: number }) {
  const now = useSignal(Date.now());
  const isOver = until <= now.value;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => {
      now.value = Date.now();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [isOver]);
  if (isOver) return null;
  const seconds = Math.ceil((until - now.value) / TICK_MS);
  return <span class="countdown"> for {formatDuration(seconds * TICK_MS)}</span>;
}
