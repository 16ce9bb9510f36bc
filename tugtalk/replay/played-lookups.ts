/** What the bridge looks up on disk: a replay answers with what was found then. */
import { TugtalkError } from "../src/messages/errors.ts";
import type { Lookup, RecordedInput, RecordedOutput } from "../src/recording/recording.ts";
import { type Difference, isSame } from "./comparison.ts";

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
  readonly #open: OpenLookup[] = [];
  /** The lookups that are about something else than they were. */
  readonly differences: Difference[] = [];

  /** Begins one; it ends when the recording has its answer. */
  begin<Found>(what: Lookup, asked: readonly unknown[] = []): Promise<Found> {
    const end = Promise.withResolvers<unknown>();
    const about: unknown[] = JSON.parse(JSON.stringify(asked));
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
    if (!isSame(then, now, masked === true)) {
      const ask = { act: "lookup", what };
      this.differences.push({ was: { ...ask, about: then }, is: { ...ask, about: now } });
    }
    if (answer.event === "found") end.resolve(answer.value);
    else end.reject(failureOf(answer));
  }
}

/** A failure as it was thrown. */
export function failureOf({ code, message, reason }: Failure): TugtalkError {
  return new TugtalkError(code, message, reason === undefined ? {} : { reason });
}
