/** A key, or several that are pressed together. */
import { keyParts } from "./key-parts.ts";

export function KeyView({ keys }: { readonly keys: string }) {
  return (
    <span class="key-view">
      {keyParts(keys, navigator.platform).map((part) => (
        <kbd key={part}>{part}</kbd>
      ))}
    </span>
  );
}
