/** What goes on beside the view, and is needed only once that is drawn. */
import { useEffect, useLayoutEffect } from "preact/hooks";
import { ToastList } from "../elements/toast-list.tsx";
import { PromptOverlay } from "../prompts/overlay.tsx";
import { useApp } from "../store/app.ts";
import { Connection } from "./connection.tsx";
import { handleKey } from "./keyboard.ts";
import { useNotifications } from "./notifications.ts";
import { useUpgradeNotice } from "./upgrade.ts";
import { useTab } from "./use-tab.ts";

/** Before everything else on the page. */
export function Watch() {
  const app = useApp();
  useTab();
  useNotifications();
  useUpgradeNotice();
  useVisibleHeight();
  // Before it is seen: a key that comes then is meant for the page.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(app, event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, [app]);
  return (
    <>
      <SkipLink />
      <Connection />
      <PromptOverlay />
      {app.dialog.value === undefined && <ToastList />}
    </>
  );
}

/** The first thing that Tab reaches: leads past the lists to what a person came for. */
function SkipLink() {
  return (
    <button type="button" class="skip-link" onClick={skip}>
      Skip to the content
    </button>
  );
}

function skip(): void {
  const main = document.querySelector("main");
  if (main !== null) main.tabIndex = -1;
  (document.querySelector<HTMLElement>(".composer textarea") ?? main)?.focus();
}

/**
 * Keeps the composer above the keyboard of a phone whose browser lays its keyboard over the page, as
 * Safari does. The others make the page smaller by themselves.
 */
function useVisibleHeight(): void {
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
