/** Takes the files of a paste or a drop from the browser, also while the host is away. */
import { withCode } from "../elements/lazy.tsx";
import type { App } from "../store/app.ts";

export function takeFiles(app: App, sessionId: string, event: Event, files?: FileList): void {
  event.preventDefault();
  // The event has no files any more once the code is there.
  const taken = [...(files ?? [])];
  withCode(
    app,
    () => import("./attach-files.ts"),
    (code) => code.attachFiles(app, sessionId, taken),
  );
}
