/** Icons with the colour of the text around them. */
import type { IconName } from "../../host/page/icons.ts";

/** Without a label it is decoration, which screen readers leave out. */
export function Icon({ name, label }: { readonly name: IconName; readonly label?: string }) {
  return label === undefined ? (
    <span class={`icon icon-${name}`} aria-hidden="true" />
  ) : (
    <span class={`icon icon-${name}`} role="img" aria-label={label} />
  );
}
