/** Keeps the end of a scrolling element in sight, until a person scrolls away from it. */
import { signal } from "@preact/signals";

/** So near to the end a person means the end. */
const NEAR_PX = 40;
/** Nobody sees less. */
const NO_DISTANCE_PX = 2;
/** A scroll within this time after an input, or after a scroll of a person, is a scroll of the person. */
const INPUT_MS = 500;
const INPUTS = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

export class FollowedEnd {
  readonly isAtEnd = signal(true);
  #scroller: HTMLElement | undefined;
  #top = 0;
  #height = 0;
  #inputAt = Number.NEGATIVE_INFINITY;

  /** Begins to follow the end of `content` in `scroller`; the result ends that. */
  follow(scroller: HTMLElement, content: HTMLElement): () => void {
    this.#scroller = scroller;
    const observer = new ResizeObserver(() => {
      const isWhole = scroller.scrollHeight <= scroller.clientHeight;
      if (isWhole || this.isAtEnd.peek()) this.toEnd();
    });
    observer.observe(scroller);
    observer.observe(content);
    const listening = new AbortController();
    const options = { passive: true, signal: listening.signal };
    scroller.addEventListener("scroll", () => this.#onScroll(scroller), options);
    for (const name of INPUTS) scroller.addEventListener(name, () => this.#recordInput(), options);
    return () => {
      observer.disconnect();
      listening.abort();
    };
  }

  toEnd(): void {
    this.isAtEnd.value = true;
    this.#scroller?.scrollTo({ top: this.#scroller.scrollHeight, behavior: "instant" });
  }

  /** Stays where the page scrolls to for a person. */
  leave(): void {
    this.isAtEnd.value = false;
  }

  #recordInput(): void {
    this.#inputAt = performance.now();
  }

  #onScroll({ scrollTop, scrollHeight, clientHeight }: HTMLElement): void {
    const distance = scrollHeight - clientHeight - scrollTop;
    const isUpwards = scrollTop < this.#top;
    // The browser scrolls too, when something above gets another height.
    const isWanted = performance.now() - this.#inputAt < INPUT_MS || scrollHeight === this.#height;
    this.#top = scrollTop;
    this.#height = scrollHeight;
    if (!isUpwards && distance < NEAR_PX) this.isAtEnd.value = true;
    if (!isUpwards || !isWanted) return;
    this.#recordInput();
    this.isAtEnd.value = distance < NO_DISTANCE_PX;
  }
}
