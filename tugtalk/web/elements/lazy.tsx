/** Code that is loaded when it is needed first: components, and what is done. */
import { signal } from "@preact/signals";
import type { ComponentChild, ComponentType, FunctionComponent } from "preact";
import { type App, useApp } from "../store/app.ts";
import { type HostStore, untilConnected } from "../store/host-store.ts";

/** After that, the connection has noticed that the host is gone. */
const RETRY_MS = 1_000;

/**
 * The host may be starting again, so what fails is tried once more when it is back. That helps where a
 * browser asks again for code that it could not load: Chromium 156 does, and 150 only after a reload.
 */
async function patiently<Loaded>(load: () => Promise<Loaded>, host: HostStore): Promise<Loaded> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    await untilConnected(host);
    return await load();
  }
}

/** Says so if the code cannot be loaded. */
export function withCode<Code>(
  { toasts, dialog, host }: Pick<App, "toasts" | "dialog" | "host">,
  load: () => Promise<Code>,
  use: (code: Code) => unknown,
  onFailure: () => void = () => {},
): void {
  patiently(load, host).then(use, () => {
    onFailure();
    // It may have been the dialog, which can then be opened again.
    dialog.value = undefined;
    toasts.show({
      severity: "error",
      text: "A part of the page could not be loaded",
      action: { label: "Reload", run: () => location.reload() },
    });
  });
}

/** Draws nothing, or what `instead` makes, until the code is there. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead?: (props: Props) => ComponentChild,
): FunctionComponent<Props> {
  const loaded = signal<ComponentType<Props> | undefined>(undefined);
  let isLoading = false;
  return function Lazy(props: Props) {
    const app = useApp();
    const Loaded = loaded.value;
    if (Loaded !== undefined) return <Loaded {...props} />;
    if (!isLoading) {
      isLoading = true;
      const use = (component: ComponentType<Props>) => {
        loaded.value = component;
      };
      withCode(app, load, use, () => {
        isLoading = false;
      });
    }
    return instead?.(props);
  };
}
