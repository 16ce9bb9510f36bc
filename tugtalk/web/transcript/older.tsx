/** The way to older turns: they are loaded as a person comes near to the first one, or by a button. */
import { useComputed, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { BusyButton } from "../elements/busy-button.tsx";
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";

/** So near to the first turn the ones before it are loaded. */
const NEAR = "600px";

type OlderProps = {
  readonly session: SessionStore;
  readonly scroller: RefObject<HTMLElement | null>;
};

export function Older({ session, scroller }: OlderProps) {
  const { toasts } = useApp();
  const before = useComputed(() => session.state.value.before);
  const isLoading = useSignal(false);
  // Not tried again by itself: the host may be out of reach.
  const hasFailed = useSignal(false);
  const bar = useRef<HTMLDivElement>(null);
  const load = async () => {
    if (isLoading.peek()) return;
    isLoading.value = true;
    const loaded = await toasts.attempt(session.loadOlder().then(() => true));
    hasFailed.value = loaded === undefined;
    isLoading.value = false;
  };
  useEffect(() => {
    if (bar.current === null || isLoading.value || hasFailed.value) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void load();
      },
      { root: scroller.current, rootMargin: `${NEAR} 0px` },
    );
    observer.observe(bar.current);
    return () => observer.disconnect();
  }, [before.value, isLoading.value]);
  if (before.value === undefined) return null;
  return (
    <div ref={bar} class="older">
      <BusyButton class="quiet" isBusy={isLoading.value} onClick={() => void load()}>
        {isLoading.value ? "Loading older messages…" : "Show older messages"}
      </BusyButton>
    </div>
  );
}
