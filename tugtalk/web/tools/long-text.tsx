/** A text that may be one enormous line: drawn whole only when a person wants it. */
import { useSignal } from "@preact/signals";

/** More than a person reads at once, and few enough to be drawn in a moment. */
const MAX_CHARS = 2_000;

export function LongText({ text }: { readonly text: string }) {
  const isWhole = useSignal(false);
  if (isWhole.value || text.length <= MAX_CHARS) return <>{text}</>;
  return (
    <>
      {text.slice(0, MAX_CHARS)}
      <button
        type="button"
        class="show-all"
        onClick={() => {
          isWhole.value = true;
        }}
      >
        Show all {text.length.toLocaleString("en-US")} characters
      </button>
    </>
  );
}
