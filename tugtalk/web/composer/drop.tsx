/** Notices that files are dragged over the page, and shows where they can be dropped. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { DropZone } from "./drop-zone.tsx";

export function Drop({ sessionId }: { readonly sessionId: string }) {
  const isDragging = useSignal(false);
  // Before it is seen: a file may be over it already.
  useLayoutEffect(() => {
    const listener = ({ dataTransfer }: DragEvent) => {
      isDragging.value = dataTransfer?.types.includes("Files") ?? false;
    };
    addEventListener("dragenter", listener);
    return () => removeEventListener("dragenter", listener);
  }, [isDragging]);
  const end = () => {
    isDragging.value = false;
  };
  return isDragging.value ? <DropZone sessionId={sessionId} onEnd={end} /> : null;
}
