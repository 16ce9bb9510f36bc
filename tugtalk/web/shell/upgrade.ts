/** Says that the host has another page than this one, since it was upgraded. */
import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { type App, useApp } from "../store/app.ts";

/** Put into the page when it was built. */
function ownVersion(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="tugtalk-page"]')?.content;
}

/** Asks after each connection. */
export function useUpgradeNotice(): void {
  const app = useApp();
  const isTold = useRef(false);
  useSignalEffect(() => {
    if (app.host.status.value !== "connected" || isTold.current) return;
    void isUpgraded(app).then((isNew) => {
      if (!isNew || isTold.current) return;
      isTold.current = true;
      app.toasts.show({
        severity: "info",
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
