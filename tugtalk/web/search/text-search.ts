/** A search in the texts and tool calls of all sessions: the hits of the query, page by page. */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { CommandAnswers } from "../../client/command-answers.ts";
import type { SearchHit } from "../../client/host-api.ts";
import type { Transport } from "../../client/transports/transport.ts";
import { errorText } from "../store/toasts.ts";

/** A person who types is waited for. */
const PAUSE_MS = 120;
/** The host takes no more. */
export const MAX_QUERY_CHARS = 500;

type Answer = CommandAnswers["search"];

type Found = Answer & {
  readonly query: string;
  readonly error?: string;
};

const NOTHING: Found = { query: "", hits: [] };

export class TextSearch {
  readonly #transport: Pick<Transport, "command">;
  readonly #query: ReadonlySignal<string>;
  readonly #found = signal(NOTHING);
  readonly #isSearching = signal(false);
  readonly #shown: ReadonlySignal<readonly SearchHit[]>;
  #latest = 0;

  /**
   * `isThere`: whether the session with this id still exists. The search follows the signals that it reads.
   */
  constructor(
    transport: Pick<Transport, "command">,
    query: ReadonlySignal<string>,
    isThere: (session: string) => boolean,
  ) {
    this.#transport = transport;
    this.#query = query;
    this.#shown = computed(() => this.#found.value.hits.filter(({ session }) => isThere(session)));
  }

  get hits(): readonly SearchHit[] {
    return this.#shown.value;
  }

  get hasMore(): boolean {
    return this.#found.value.before !== undefined;
  }

  /** Whether the hits are for the typed text. */
  get isCurrent(): boolean {
    return this.#found.value.query === this.#query.value.trim();
  }

  /** For people. */
  get status(): string {
    const { query, error, partial = false } = this.#found.value;
    const { hits } = this;
    if (this.#isSearching.value) return "Searching…";
    if (error !== undefined) return `The search failed: ${error}`;
    if (query === "") return "";
    const found =
      hits.length === 0
        ? "Nothing found."
        : `${hits.length} found${this.hasMore ? ", and more" : ""}.`;
    return partial ? `${found} Older sessions are still being read.` : found;
  }

  /** Searches for each new query; the result ends that. */
  follow(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = this.#query.subscribe((query) => {
      clearTimeout(timer);
      this.#latest += 1;
      this.#isSearching.value = query.trim() !== "";
      if (query.trim() === "") this.#found.value = NOTHING;
      else timer = setTimeout(() => void this.#run(query.trim(), NOTHING), PAUSE_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
      this.#latest += 1;
    };
  }

  /** The next page, unless it is on its way. */
  async more(): Promise<void> {
    const found = this.#found.peek();
    if (found.before === undefined || this.#isSearching.peek()) return;
    await this.#run(found.query, found);
  }

  /** An answer that is late is dropped. */
  async #run(query: string, { hits, before }: Found): Promise<void> {
    this.#latest += 1;
    const run = this.#latest;
    this.#isSearching.value = true;
    const found = await this.#ask(query, before);
    if (run !== this.#latest) return;
    this.#isSearching.value = false;
    this.#found.value = { ...found, query, hits: [...hits, ...found.hits] };
  }

  async #ask(q: string, before: number | undefined): Promise<Answer & Pick<Found, "error">> {
    try {
      const page = { q, ...(before !== undefined && { before }) };
      return await this.#transport.command("search", page);
    } catch (error) {
      return { hits: [], error: errorText(error) };
    }
  }
}
