/** A search in the conversation of one session: its hits, and the one that is shown. */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Folds } from "../store/folds.ts";
import type { SessionStore } from "../store/session-store.ts";
import { entryAtTop } from "./entry-at.ts";
import { Finder, type Hit, patternOf } from "./find-hits.ts";
import { clearMarks, markAll, markCurrent, rangesIn } from "./find-marks.ts";
import type { FollowedEnd } from "./followed-end.ts";
import { drawn, reveal } from "./reveal.ts";

type SearchedTranscript = {
  readonly session: SessionStore;
  readonly folds: Folds;
  readonly scroller: HTMLElement;
  readonly end: FollowedEnd;
};

export class Search {
  readonly query = signal("");
  readonly isLoading = signal(false);
  readonly #current = signal<Hit | undefined>(undefined);
  readonly #finder = computed(() => new Finder(this.query.value));
  readonly #hits: ReadonlySignal<readonly Hit[]>;
  readonly #searched: SearchedTranscript;
  #isOver = false;

  constructor(searched: SearchedTranscript) {
    this.#searched = searched;
    const { entries, openEntries } = searched.session;
    this.#hits = computed(() => {
      if (this.query.value === "") return [];
      const finder = this.#finder.value;
      return [...entries.value, ...openEntries.value].flatMap((entry) => finder.hitsIn(entry));
    });
  }

  /** `3 of 17`. */
  get status(): string {
    const { length } = this.#hits.value;
    if (this.query.value === "") return "";
    return length === 0 ? "Not found" : `${this.#index + 1} of ${length}`;
  }

  /** Shows the first hit of each new query; the result ends that. */
  follow(): () => void {
    const stop = this.query.subscribe(() => {
      clearMarks();
      void this.#show(this.#firstHit());
    });
    return () => {
      stop();
      this.#isOver = true;
      // What is still being brought into sight is not marked any more.
      this.#current.value = undefined;
      clearMarks();
    };
  }

  /** Goes to the next hit, or to the previous one. */
  step(by: 1 | -1): void {
    const hits = this.#hits.value;
    this.#show(hits[(this.#index + by + hits.length) % hits.length]);
  }

  /** Loads older messages until there is a hit in them, or there are no more. */
  async loadOlder(): Promise<void> {
    const { session } = this.#searched;
    const { length } = this.#hits.value;
    this.isLoading.value = true;
    try {
      while (this.#mayLoad && this.#hits.value.length === length) {
        await session.loadOlder();
        await new Promise(requestAnimationFrame);
      }
    } finally {
      this.isLoading.value = false;
    }
    const added = this.#hits.value.length - length;
    if (added > 0 && !this.#isOver) this.#show(this.#hits.value[added - 1]);
  }

  get #mayLoad(): boolean {
    return !this.#isOver && this.#searched.session.state.value.before !== undefined;
  }

  /** That of the shown hit, which is another object after its entry has changed. */
  get #index(): number {
    const name = nameOf(this.#current.value);
    return Math.max(
      this.#hits.value.findIndex((hit) => nameOf(hit) === name),
      0,
    );
  }

  /** The first one from what is being read on. */
  #firstHit(): Hit | undefined {
    const hits = this.#hits.value;
    const { session, scroller } = this.#searched;
    const keys = [...session.entries.value, ...session.openEntries.value].map(({ key }) => key);
    const first = keys.indexOf(entryAtTop(scroller)?.dataset["key"] ?? "");
    const read = new Set(keys.slice(0, Math.max(first, 0)));
    return hits.find(({ entryKey }) => !read.has(entryKey)) ?? hits.at(-1);
  }

  async #show(hit: Hit | undefined): Promise<void> {
    this.#current.value = hit;
    if (hit === undefined) return;
    const { scroller, folds, end } = this.#searched;
    end.leave();
    const pattern = patternOf(this.query.value);
    const element = await reveal(scroller, folds, hit);
    // A card that was opened is drawn a little later.
    await drawn(() => (element && !hasMatch(element, pattern) ? null : scroller));
    if (this.#current.value !== hit) return;
    const found = new Set(this.#hits.value.map(({ entryKey }) => entryKey));
    const entries = [...scroller.querySelectorAll<HTMLElement>(".entry")];
    markAll(
      entries.filter(({ dataset }) => found.has(dataset["key"] ?? "")),
      pattern,
    );
    if (element !== undefined) markCurrent(element, pattern, hit.nth);
  }
}

function hasMatch(element: Element, pattern: RegExp): boolean {
  return rangesIn(element, pattern).length > 0;
}

function nameOf(hit: Hit | undefined): string | undefined {
  return hit && [hit.entryKey, ...hit.path, hit.nth].join("\n");
}
