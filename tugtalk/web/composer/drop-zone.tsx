/** Lies over the page while files are dragged over it, and takes them. */
import { useLayoutEffect } from "preact/hooks";
import { useApp } from "../store/app.ts";
import { attachFiles } from "./attach-files.ts";

type DropZoneProps = { readonly sessionId: string; readonly onEnd: () => void };

export function DropZone({ sessionId, onEnd }: DropZoneProps) {
  const app = useApp();
  // Before it is seen: a file that nobody takes is opened in place of the page.
  useLayoutEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    addEventListener("dragover", (event) => event.preventDefault(), { signal });
    addEventListener(
      "dragleave",
      ({ relatedTarget }: DragEvent) => {
        if (relatedTarget === null) onEnd();
      },
      { signal },
    );
    addEventListener(
      "drop",
      (event: DragEvent) => {
        event.preventDefault();
        onEnd();
        void attachFiles(app, sessionId, [...(event.dataTransfer?.files ?? [])]);
      },
      { signal },
    );
    return () => ending.abort();
  }, [app, sessionId, onEnd]);
  return (
    <div class="drop-zone" role="status">
      Drop files to attach them
    </div>
  );
}
