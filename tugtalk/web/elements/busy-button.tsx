/**
 * A button that does one thing at a time. Meanwhile it is not `disabled`, which would take the focus from who
 * has pressed it by a key.
 */
import type { ComponentProps } from "preact";

type BusyButtonProps = Omit<ComponentProps<"button">, "onClick" | "disabled"> & {
  readonly isBusy: boolean;
  readonly onClick: () => void;
};

export function BusyButton({ isBusy, onClick, ...rest }: BusyButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isBusy}
      onClick={() => {
        if (!isBusy) onClick();
      }}
    />
  );
}
