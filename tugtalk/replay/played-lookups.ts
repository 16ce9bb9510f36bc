/** Answers the lookups of the bridge from the recording. */
import { TugtalkError } from "../src/messages/errors.ts";
import type { Lookup, RecordedInput } from "../src/recording/recording.ts";
import { type Difference, isSame } from "./comparison.ts";

type Answer = Extract<RecordedInput, { dir: "found" | "lookup_failed" }>;

type Failure = Pick<
  Extract<RecordedInput, { dir: "lookup_failed" }>["msg"],
  "code" | "message" | "reason"
>;

type OpenLookup = Pick<Answer["msg"], "what" | "about"> & {
  readonly end: PromiseWithResolvers<unknown>;
};

export class PlayedLookups {
  readonly #open: OpenLookup[] = [];
  /** The lookups with other arguments than recorded. */
  readonly differences: Difference[] = [];

  /** Starts a lookup. It settles when the recording has its answer. */
  start<Found>(what: Lookup, args: readonly unknown[] = []): Promise<Found> {
    const end = Promise.withResolvers<unknown>();
    const about: unknown[] = JSON.parse(JSON.stringify(args));
    this.#open.push({ what, about, end });
    return end.promise as Promise<Found>;
  }

  /** Settles the oldest lookup of this kind. */
  settle(answer: Answer): void {
    const { what, about } = answer.msg;
    const at = this.#open.findIndex((lookup) => lookup.what === what);
    const [lookup] = at === -1 ? [] : this.#open.splice(at, 1);
    if (lookup === undefined) return;
    if (!isSame(about, lookup.about)) {
      const is = { dir: "lookup", what, about: lookup.about };
      this.differences.push({ was: { ...is, about }, is });
    }
    if (answer.dir === "found") lookup.end.resolve(answer.msg.value);
    else lookup.end.reject(failureOf(answer.msg));
  }
}

/** The error that was thrown. */
export function failureOf({ code, message, reason }: Failure): TugtalkError {
  return new TugtalkError(code, message, reason === undefined ? {} : { reason });
}
