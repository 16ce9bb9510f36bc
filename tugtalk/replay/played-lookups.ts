/** What the bridge looks up on disk: a replay answers with what was found then. */
import { TugtalkError } from "../src/errors.ts";
import type { Lookup, RecordedInput, RecordedOutput } from "../src/recording.ts";

type Answer = Extract<RecordedInput, { event: "found" | "lookup_failed" }>;

type Failure = Pick<
  Extract<RecordedInput | RecordedOutput, { event: "lookup_failed" | "claude_not_started" }>,
  "code" | "message" | "reason"
>;

type OpenLookup = { readonly what: Lookup; readonly end: PromiseWithResolvers<unknown> };

export class PlayedLookups {
  readonly #open: OpenLookup[] = [];

  /** Begins one; it ends when the recording has its answer. */
  begin<Found>(what: Lookup): Promise<Found> {
    const end = Promise.withResolvers<unknown>();
    this.#open.push({ what, end });
    return end.promise as Promise<Found>;
  }

  /** Ends the first one that this answers. */
  end(answer: Answer): void {
    const at = this.#open.findIndex(({ what }) => what === answer.what);
    const [lookup] = at === -1 ? [] : this.#open.splice(at, 1);
    if (answer.event === "found") lookup?.end.resolve(answer.value);
    else lookup?.end.reject(failureOf(answer));
  }
}

/** A failure as it was thrown. */
export function failureOf({ code, message, reason }: Failure): TugtalkError {
  return new TugtalkError(code, message, reason === undefined ? {} : { reason });
}
