/** One choice of a list whose keys belong to the field above it, which keeps the focus. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

type OptionProps = {
  readonly id: string;
  readonly class: string;
  readonly isSelected: boolean;
  readonly onChoose: () => void;
  readonly children: ComponentChildren;
};

/** Scrolls into view where it is selected. */
export function Option({ isSelected, onChoose, ...rest }: OptionProps) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSelected) option.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    <div
      ref={option}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      {...rest}
    />
  );
}
