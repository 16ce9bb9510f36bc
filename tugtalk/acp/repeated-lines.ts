/** The lines of a delta that comes with another text each time: the parts around the text are built once. */
import { partsAround } from "../src/base/json-line.ts";
import type { RepeatedMessage } from "../src/messages/repeated-message.ts";
import type { OutboundDraft } from "../src/types.ts";
import type { Update, UpdateState } from "./updates/update-state.ts";
import { updatesOf } from "./updates/updates-of.ts";

/** The lines around the text of a message, and the state after it. Without a tail it has no lines. */
type Frame = {
  readonly message: OutboundDraft;
  readonly state: UpdateState;
  readonly head: string;
  readonly tail: string | undefined;
};

export class RepeatedLines {
  readonly #lineOf: (update: Update) => string;
  #last: Frame | undefined;

  constructor(lineOf: (update: Update) => string) {
    this.#lineOf = lineOf;
  }

  /** The lines, each with its LF, and the state after them. A text that is empty has none. */
  take(before: UpdateState, { message, field, literals }: RepeatedMessage) {
    // Each chunk of a stream has the same message, and none of them changes the state.
    if (this.#last?.message !== message || this.#last.state !== before)
      this.#last = this.#frameOf(before, message, field);
    const { state, head, tail } = this.#last;
    let lines = "";
    // The texts are in JSON but for their quotes.
    if (tail !== undefined)
      for (const text of literals) if (text !== "") lines += `${head}"${text}"${tail}`;
    return { state, lines };
  }

  #frameOf(before: UpdateState, message: OutboundDraft, field: RepeatedMessage["field"]): Frame {
    let state = before;
    const [head = "", tail] = partsAround((gap) => {
      const step = updatesOf(before, { ...message, [field]: gap });
      state = step.state;
      return step.updates.map(this.#lineOf).join("");
    });
    return { message, state, head, tail };
  }
}
