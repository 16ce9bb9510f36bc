/** What goes on beside the view, and is needed only once that is drawn. */
import { useLayoutEffect } from "preact/hooks";
import { ToastList } from "../elements/toast-list.tsx";
import { PromptOverlay } from "../prompts/overlay.tsx";
import { useApp } from "../store/app.ts";
import { Connection } from "./connection.tsx";
import { handleKey } from "./keyboard.ts";
import { useNotifications } from "./notifications.ts";
import { SkipLink } from "./skip-link.tsx";
import { useUpgradeNotice } from "./upgrade.ts";
import { useTab } from "./use-tab.ts";
import { useVisibleHeight } from "./use-visible-height.ts";

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
