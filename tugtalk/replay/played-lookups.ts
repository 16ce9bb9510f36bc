/** What the bridge looks up on disk: a replay answers with what was found then. */
import { TugtalkError } from "../src/errors.ts";
import type { Lookup, RecordedInput, RecordedOutput } from "../src/recording.ts";
import type { Difference } from "./comparison.ts";
import type { Renaming } from "./renaming.ts";

type Answer = Extract<RecordedInput, { event: "found" | "lookup_failed" }>;

type Failure = Pick<
  Extract<RecordedInput | RecordedOutput, { event: "lookup_failed" | "claude_not_started" }>,
  "code" | "message" | "reason"
>;

type OpenLookup = {
  readonly what: Lookup;
  readonly about: readonly unknown[];
  readonly end: PromiseWithResolvers<unknown>;
};

export class PlayedLookups {
  readonly #renaming: Renaming;
  readonly #open: OpenLookup[] = [];
  readonly #differences: Difference[] = [];

  constructor(renaming: Renaming) {
    this.#renaming = renaming;
  }

  /** The lookups that are about something else than they were. */
  get differences(): readonly Difference[] {
    return this.#differences;
  }

  /** Begins one; it ends when the recording has its answer. */
  begin<Found>(what: Lookup, words: readonly unknown[] = []): Promise<Found> {
    const end = Promise.withResolvers<unknown>();
    const about: unknown[] = JSON.parse(JSON.stringify(words));
    this.#open.push({ what, about, end });
    return end.promise as Promise<Found>;
  }

  /** Ends the first one that this answers. */
  end(answer: Answer): void {
    const { what, about: then, masked } = answer;
    const at = this.#open.findIndex((lookup) => lookup.what === what);
    const [lookup] = at === -1 ? [] : this.#open.splice(at, 1);
    if (lookup === undefined) return;
    const { about: now, end } = lookup;
    // Older recordings do not say what a lookup was about.
    if (then !== undefined && !this.#renaming.isSame(then, now, masked === true)) {
      const ask = { act: "lookup", what };
      this.#differences.push({ was: { ...ask, about: then }, is: { ...ask, about: now } });
    }
    const renamed = this.#renaming.renameAll(answer);
    if (renamed.event === "found") end.resolve(renamed.value);
    else end.reject(failureOf(renamed));
  }
}

/** A failure as it was thrown. */
export function failureOf({ code, message, reason }: Failure): TugtalkError {
  return new TugtalkError(code, message, reason === undefined ? {} : { reason });
}
