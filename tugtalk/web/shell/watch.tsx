/** What goes on beside the view, and is needed only once that is drawn. */

import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ToastList } from "../elements/toast-list.tsx";
import { useWindowListener } from "../elements/use-window-listener.ts";
import { PromptOverlay } from "../prompts/overlay.tsx";
import { type App, useApp } from "../store/app.ts";
import { Connection } from "./connection.tsx";
import { handleKey } from "./keyboard.ts";
import { useNotifications } from "./notifications.ts";
import { useTab } from "./use-tab.ts";

/** Before everything else on the page. */
export function Watch() {
  const app = useApp();
  useTab();
  useNotifications();
  useUpgradeNotice();
  useVisibleHeight();
  useWindowListener("keydown", (event) => handleKey(app, event));
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

/** Put into the page when it was built. */
function ownVersion(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="tugtalk-page"]')?.content;
}

/** Asks after each connection. */
function useUpgradeNotice(): void {
  const app = useApp();
  const isTold = useRef(false);
  useSignalEffect(() => {
    if (app.host.status.value !== "connected" || isTold.current) return;
    void isUpgraded(app).then((isNew) => {
      if (!isNew || isTold.current) return;
      isTold.current = true;
      app.toasts.show({
        severity: "info",
        isOfPage: true,
        text: "The host was updated. What you have typed is kept.",
        action: { label: "Reload", run: () => location.reload() },
      });
    });
  });
}

async function isUpgraded({ host }: App): Promise<boolean> {
  const own = ownVersion();
  try {
    const { version } = await host.transport.command("page");
    return own !== undefined && version !== own;
  } catch {
    // The next connection asks again.
    return false;
  }
}
