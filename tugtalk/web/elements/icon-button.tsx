/** A square button with an icon. */
import type { Ref } from "preact";
import type { IconName } from "../../host/page/icons.ts";
import { Icon } from "./icon.tsx";

type IconButtonProps = {
  readonly icon: IconName;
  /** For screen readers. */
  readonly label: string;
  /** The label if absent. */
  readonly title?: string;
  readonly onClick: (event: MouseEvent) => void;
  /** It keeps the focus, and does nothing more by itself. */
  readonly isBusy?: boolean;
  /** Added to the button. */
  readonly class?: string;
  readonly button?: Ref<HTMLButtonElement>;
};

export function IconButton({
  icon,
  label,
  class: name = "",
  button,
  isBusy,
  ...rest
}: IconButtonProps) {
  return (
    <button
      ref={button ?? null}
      type="button"
      title={label}
      {...rest}
      class={`icon-button ${name}`}
      aria-label={label}
      aria-disabled={isBusy}
    >
      <Icon name={icon} />
    </button>
  );
}
