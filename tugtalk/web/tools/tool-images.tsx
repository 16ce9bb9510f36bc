/** Images in the result of a tool call; a click shows one in full size. */
import { useSignal } from "@preact/signals";
import type { ToolImage } from "../../src/messages/entry-models.ts";
import { Dialog } from "../elements/dialog.tsx";

/** SVG is left out: it is a document that may hold scripts. */
const MEDIA_TYPES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

export function ToolImages({ images }: { readonly images: readonly ToolImage[] }) {
  const shown = useSignal<string | undefined>(undefined);
  const urls = images
    .filter(({ mediaType }) => MEDIA_TYPES.has(mediaType))
    .map(({ mediaType, data }) => `data:${mediaType};base64,${data}`);
  if (urls.length === 0) return null;
  return (
    <div class="tool-images">
      {urls.map((url, index) => (
        <button
          key={index}
          type="button"
          class="tool-image"
          aria-label={`Enlarge result ${index + 1}`}
          onClick={() => {
            shown.value = url;
          }}
        >
          <img src={url} alt={`Result ${index + 1}`} />
        </button>
      ))}
      {shown.value !== undefined && (
        <Dialog
          title="Image"
          class="image-dialog"
          onClose={() => {
            shown.value = undefined;
          }}
        >
          <img src={shown.value} alt="Result in full size" />
        </Dialog>
      )}
    </div>
  );
}
