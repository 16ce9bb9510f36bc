/** Parts that run beside the view, and are needed only once it is drawn. */

import { useSignalEffect } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { promptName } from "../../client/stores/session-prompt.ts";
import { focusMain } from "../elements/focus-main.ts";
import { lazy } from "../elements/lazy.tsx";
import { beginTypedAhead, dropTypedAhead, holdKey } from "../elements/typed-ahead.ts";
import { useWindowListener } from "../elements/use-window-listener.ts";
import { type App, useApp } from "../store/app.ts";
import { Connection } from "./connection.tsx";
import { handleKey } from "./keyboard.ts";
import { useTab } from "./use-tab.ts";

const Notifications = lazy(async () => (await import("./notifications.ts")).Notifications);

/** Before everything else on the page. */
export function Watch() {
  const app = useApp();
  useTab();
  useUpgradeNotice();
  useVisibleHeight();
  const known = useKnownPrompts();
  useWindowListener("keydown", (event) => handleKey(app, event));
  useTypedAhead(app);
  return (
    <>
      <SkipLink />
      <Connection />
      {app.preferences.value.hasNotifications && <Notifications known={known} />}
    </>
  );
}

/** Keys that come before a dialog, or the field to find in, are for that. */
function useTypedAhead({ dialog, isFinding, close }: App): void {
  const follow = (isOpen: boolean) => (isOpen ? beginTypedAhead() : dropTypedAhead());
  const cancel = () => {
    isFinding.value = false;
    close();
  };
  // Before the first key, which may already wait for a dialog.
  useLayoutEffect(() => dialog.subscribe((name) => follow(name !== undefined)), []);
  useLayoutEffect(() => isFinding.subscribe(follow), []);
  useWindowListener("keydown", (event) => holdKey(event, cancel), true);
}

/**
 * The prompts that were open when notifications were wanted. Later prompts are news, however late the code
 * comes.
 */
function useKnownPrompts(): RefObject<ReadonlySet<string> | undefined> {
  const { host, preferences } = useApp();
  const known = useRef<ReadonlySet<string> | undefined>(undefined);
  useSignalEffect(() => {
    const { isLoaded, pending } = host.board.value;
    if (!preferences.value.hasNotifications) known.current = undefined;
    else if (isLoaded) known.current ??= new Set(pending.map(promptName));
  });
  return known;
}

/** The first element that Tab reaches: leads past the lists to the content. */
function SkipLink() {
  return (
    <button type="button" class="skip-link" onClick={focusMain}>
      Skip to the content
    </button>
  );
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
