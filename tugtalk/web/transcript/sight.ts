/** Which parts of a scrolling element are near its visible part. */
import { batch, type Signal, signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { useWindowListener } from "../elements/use-window-listener.ts";

/** Farther away than ten windows is far. */
const NEAR = "1000% 0px";

export class Sight {
  /** All of it is wanted in the document. */
  readonly isWhole = signal(false);
  readonly #scroller: RefObject<HTMLElement | null>;
  readonly #followed = new Map<Element, Signal<boolean>>();
  #observer: IntersectionObserver | undefined;

  constructor(scroller: RefObject<HTMLElement | null>) {
    this.#scroller = scroller;
  }

  /** Keeps `isNear` until the result is called. */
  follow(element: Element, isNear: Signal<boolean>): () => void {
    this.#observer ??= new IntersectionObserver((changes) => this.#take(changes), {
      root: this.#scroller.current,
      rootMargin: NEAR,
    });
    this.#followed.set(element, isNear);
    this.#observer.observe(element);
    return () => {
      this.#followed.delete(element);
      this.#observer?.unobserve(element);
    };
  }

  #take(changes: readonly IntersectionObserverEntry[]): void {
    batch(() => {
      for (const { target, isIntersecting } of changes) {
        const isNear = this.#followed.get(target);
        if (isNear !== undefined) isNear.value = isIntersecting;
      }
    });
  }
}

/** All is there for a printer, a copy of all, and the browser's own search. */
export function useSight(scroller: RefObject<HTMLElement | null>): Sight {
  const sight = useMemo(() => new Sight(scroller), []);
  const showAll = () => {
    sight.isWhole.value = true;
  };
  useWindowListener("beforeprint", showAll);
  useWindowListener("keydown", (event) => {
    if (!event.defaultPrevented && isForAll(event)) showAll();
  });
  return sight;
}

function isForAll({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  if (!ctrlKey && !metaKey) return false;
  const isField = target instanceof HTMLElement && target.matches("input, textarea");
  return key === "f" || (key === "a" && !isField);
}
