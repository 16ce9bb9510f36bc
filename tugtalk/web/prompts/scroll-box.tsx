/** A text to read before an answer, in a block that scrolls, by keyboard too, and shows where it goes on. */
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../elements/icon.tsx";

type ScrollBoxProps = {
  readonly label: string;
  /** Added to `prompt-input`. */
  readonly class?: string;
  readonly children: ComponentChildren;
};

export function ScrollBox({ label, class: name = "", children }: ScrollBoxProps) {
  const box = useRef<HTMLElement>(null);
  const goesOn = useGoesOn(box);
  return (
    <div class="scroll-box">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must scroll by keyboard too. */}
      <section ref={box} class={`prompt-input ${name}`} aria-label={label} tabIndex={0}>
        {children}
      </section>
      {goesOn.value && (
        <p class="scroll-more line tight hint">
          <Icon name="chevron-down" /> Goes on below
        </p>
      )}
    </div>
  );
}

/** Less than this is the space under the last line. */
const MIN_HIDDEN_PX = 8;

function useGoesOn(box: RefObject<HTMLElement | null>): Signal<boolean> {
  const goesOn = useSignal(false);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const look = () => {
      const { scrollHeight, scrollTop, clientHeight } = current;
      goesOn.value = scrollHeight - scrollTop - clientHeight > MIN_HIDDEN_PX;
    };
    const sizes = new ResizeObserver(look);
    for (const element of [current, ...current.children]) sizes.observe(element);
    current.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      current.removeEventListener("scroll", look);
    };
  }, [box, goesOn]);
  return goesOn;
}
