/** What a person is to read before answering, in a block that scrolls, by keyboard too. */
import type { ComponentChildren } from "preact";

type ScrollBoxProps = {
  readonly label: string;
  /** Added to `prompt-input`. */
  readonly class?: string;
  readonly children: ComponentChildren;
};

export function ScrollBox({ label, class: name = "", children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too.
    <section class={`prompt-input ${name}`} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
