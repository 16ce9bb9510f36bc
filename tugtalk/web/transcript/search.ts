/** A search in the conversation of one session: its hits, and the shown one. */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { TranscriptEntry } from "../../client/transcript-models.ts";
import type { FoundPlace } from "../store/app.ts";
import type { Folds } from "../store/folds.ts";
import type { SessionStore } from "../store/session-store.ts";
import { entryAtTop } from "./entry-at.ts";
import { Finder, type Hit, pathTo, patternOf } from "./find-hits.ts";
import { clearMarks, isCurrentLost, markAll, markCurrent, rangesIn } from "./find-marks.ts";
import type { FollowedEnd } from "./followed-end.ts";
import { drawn, reveal } from "./reveal.ts";

type SearchedTranscript = {
  readonly session: SessionStore;
  readonly folds: Folds;
  readonly scroller: HTMLElement;
  readonly end: FollowedEnd;
};

/** A person who presses Enter once too often has not yet seen the effect of the first Enter. */
const QUIET_MS = 400;

export class Search {
  readonly query = signal("");
  readonly isLoading = signal(false);
  /** At a place that was found elsewhere: a key is still meant for the dialog that led there. */
  readonly isArriving = signal(false);
  readonly #current = signal<Hit | undefined>(undefined);
  /** The element of the current hit. */
  #shown: Element | undefined;
  readonly #finder = computed(() => new Finder(this.query.value));
  readonly #hits: ReadonlySignal<readonly Hit[]>;
  readonly #searched: SearchedTranscript;
  #isOver = false;
  /** To a place that was found elsewhere. */
  #isGoing = false;

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
      if (!this.#isGoing) void this.#show(this.#firstHit());
    });
    const observer = new MutationObserver((changes) => {
      if (isCurrentLost()) this.#markAgain();
      else if (changes.some(addsEntry)) this.#mark();
    });
    observer.observe(this.#searched.scroller, { childList: true, subtree: true });
    return () => {
      stop();
      observer.disconnect();
      this.#isOver = true;
      // A hit that is still being brought into sight is not marked any more.
      this.#current.value = undefined;
      clearMarks();
    };
  }

  /** Goes to the next hit, or to the previous one. */
  step(by: 1 | -1): void {
    if (this.isArriving.value) return;
    const hits = this.#hits.value;
    this.#show(hits[(this.#index + by + hits.length) % hits.length]);
  }

  /** Shows a place that was found elsewhere. Rejects where it is not there any more. */
  async goTo(place: FoundPlace): Promise<void> {
    this.#isGoing = true;
    this.query.value = place.text;
    this.#isGoing = false;
    this.isArriving.value = true;
    try {
      await this.#showPlace(place);
    } finally {
      setTimeout(() => {
        this.isArriving.value = false;
      }, QUIET_MS);
    }
  }

  async #showPlace({ entry, item, text }: FoundPlace): Promise<void> {
    this.isLoading.value = true;
    try {
      await this.#load(entry);
    } finally {
      this.isLoading.value = false;
    }
    const shown = await drawn(() => this.#entry(entry) && this.#searched.scroller);
    if (this.#isOver || this.query.value !== text) return;
    const there = this.#entry(entry);
    if (shown === undefined || there === null)
      throw new Error("This part of the session is not kept any more");
    const hit = this.#hits.value.find((one) => one.entryKey === entry && one.path.at(-1) === item);
    await this.#show(hit ?? { entryKey: entry, path: pathTo(there, item) ?? [], nth: 0 });
  }

  /** Older messages, up to the entry with this key. */
  async #load(entry: string): Promise<void> {
    const { session } = this.#searched;
    const isThere = ({ key }: TranscriptEntry) => key === entry;
    while (!this.#isOver && session.get().state.before !== undefined) {
      const { entries, openEntries } = session.get().state;
      if (openEntries.some(isThere) || entries.some(isThere)) return;
      await session.loadOlder();
    }
  }

  #entry(wanted: string): TranscriptEntry | null {
    const { entries, openEntries } = this.#searched.session;
    return [...entries.value, ...openEntries.value].find(({ key }) => key === wanted) ?? null;
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

  /** The index of the shown hit, which is another object after its entry has changed. */
  get #index(): number {
    const name = nameOf(this.#current.value);
    return Math.max(
      this.#hits.value.findIndex((hit) => nameOf(hit) === name),
      0,
    );
  }

  /** The first hit from the entry on that the person reads. */
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
    this.#mark();
    this.#shown = element;
    this.#markCurrent()?.scrollIntoView({ block: "center" });
  }

  #markCurrent(): Element | undefined {
    const hit = this.#current.value;
    if (hit === undefined || this.#shown === undefined) return undefined;
    return markCurrent(this.#shown, patternOf(this.query.value), hit.nth);
  }

  /** Where the parser of Markdown has come, or a text has grown. */
  #markAgain(): void {
    this.#mark();
    const marked = this.#markCurrent();
    // Later, a person may have scrolled elsewhere.
    if (this.isArriving.value) marked?.scrollIntoView({ block: "center" });
  }

  /** Marks all hits in the drawn entries. */
  #mark(): void {
    if (this.#current.value === undefined) return;
    const found = new Set(this.#hits.value.map(({ entryKey }) => entryKey));
    const entries = [...this.#searched.scroller.querySelectorAll<HTMLElement>(".entry")];
    markAll(
      entries.filter(({ dataset }) => found.has(dataset["key"] ?? "")),
      patternOf(this.query.value),
    );
  }
}

/** A turn has come, or has come back from where it was only a place. */
function addsEntry({ addedNodes }: MutationRecord): boolean {
  return [...addedNodes].some((node) => node instanceof Element && node.matches(".entry"));
}

function hasMatch(element: Element, pattern: RegExp): boolean {
  return rangesIn(element, pattern).length > 0;
}

function nameOf(hit: Hit | undefined): string | undefined {
  return hit && [hit.entryKey, ...hit.path, hit.nth].join("\n");
}
