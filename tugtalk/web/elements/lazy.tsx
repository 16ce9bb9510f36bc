/** Code that is loaded when it is needed first: components and actions. */
import { signal } from "@preact/signals";
import type { ComponentChild, ComponentType, FunctionComponent } from "preact";
import { type App, useApp } from "../store/app.ts";
import { type HostStore, untilConnected } from "../store/host-store.ts";

/** After this time, the connection has noticed that the host is gone. */
const RETRY_MS = 1_000;

/**
 * The host may be starting again, so code that could not be loaded is loaded once more when it is back. That
 * helps if the browser asks for the file again: Chromium 156 does, and 150 only after a reload.
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

let loadings = 0;

/** Whether code is being loaded that may draw more when it is there. */
export function isLoadingCode(): boolean {
  return loadings > 0;
}

type LoadingApp = Pick<App, "toasts" | "close" | "host">;

/** Undefined, and the page says so, if the code cannot be loaded. */
async function loaded<Code>(
  { toasts, close, host }: LoadingApp,
  load: () => Promise<Code>,
): Promise<Code | undefined> {
  loadings += 1;
  try {
    return await patiently(load, host);
  } catch {
    // It may have been the dialog, which can then be opened again.
    close();
    toasts.show({
      severity: "error",
      isOfPage: true,
      text: "A part of the page could not be loaded",
      action: { label: "Reload", run: () => location.reload() },
    });
    return undefined;
  } finally {
    loadings -= 1;
  }
}

/** Ends when a person's last action is done. */
let latestAction = Promise.resolve();

/**
 * Does the actions of a person, with code that may have to be loaded, in the order in which they were
 * asked for. Of two imports of the same module the second one may end first.
 */
export function withCode<Code>(
  app: LoadingApp,
  load: () => Promise<Code>,
  use: (code: Code) => unknown,
  onFailure: () => void = () => {},
): void {
  const loading = loaded(app, load);
  latestAction = latestAction.then(async () => {
    const code = await loading;
    // An error of it does not end the row of actions.
    queueMicrotask(() => (code === undefined ? onFailure() : use(code)));
  });
}

/** Draws nothing, or `instead`, until the code is there. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead?: (props: Props) => ComponentChild,
): FunctionComponent<Props> {
  const component = signal<ComponentType<Props> | undefined>(undefined);
  let isLoading = false;
  return function Lazy(props: Props) {
    const app = useApp();
    const Loaded = component.value;
    if (Loaded !== undefined) return <Loaded {...props} />;
    if (!isLoading) {
      isLoading = true;
      void loaded(app, load).then((code) => {
        component.value = code;
        isLoading = code !== undefined;
      });
    }
    return instead?.(props);
  };
}
