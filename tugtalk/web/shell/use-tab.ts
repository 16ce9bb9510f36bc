/** Keeps the title and the icon of the tab. */
import {
  effect,
  type ReadonlySignal,
  useComputed,
  useSignal,
  useSignalEffect,
} from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useApp } from "../store/app.ts";
import { showIcon } from "./favicon.ts";
import { formatTitle, hasEnded, type TabState, tabOf } from "./tab-title.ts";

export function useTab(): void {
  const { host, route } = useApp();
  const isDone = useDone();
  const tab = useComputed(() => {
    const shown = route.value.name === "session" ? route.value.id : undefined;
    return tabOf(host.board.value, shown, isDone.value);
  });
  const title = useComputed(() => formatTitle(tab.value));
  const state = useComputed(() => tab.value.state);
  useSignalEffect(() => {
    document.title = title.value;
  });
  useSignalEffect(() => showIcon(state.value));
}

/** Whether the work in this tab has ended while nobody looked at it. */
function useDone(): ReadonlySignal<boolean> {
  const { host, route } = useApp();
  const isDone = useSignal(false);
  const state = useComputed(() => {
    const shown = route.value.name === "session" ? route.value.id : undefined;
    return tabOf(host.board.value, shown, false).state;
  });
  // An effect of a component runs once a frame at most, and could miss that it worked.
  useEffect(() => {
    let before: TabState | undefined;
    return effect(() => {
      if (hasEnded(before, state.value) && document.hidden) isDone.value = true;
      before = state.value;
    });
  }, [state, isDone]);
  useEffect(() => {
    const onVisible = () => {
      if (!document.hidden) isDone.value = false;
    };
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, []);
  return isDone;
}
