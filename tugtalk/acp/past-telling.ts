/** Tells the past of a session, and keeps what Claude says meanwhile apart from it. */
import type { OutboundDraft } from "../src/types.ts";
import {
  compactionsIn,
  EntryNames,
  isRetold,
  NOT_RETOLD,
  promptName,
  type Retold,
} from "./retold.ts";
import type { Client, Transcript } from "./tell-past.ts";
import type { MessageOf, UpdateState } from "./updates/update-state.ts";

/** Loaded with the first past that is sent. */
const past = () => require("./tell-past.ts") as typeof import("./tell-past.ts");

function isCompacting(message: OutboundDraft): boolean {
  return message.type === "session_state" && message.state === "compacting";
}

export class PastTelling {
  #waiting: (() => void)[] | undefined;
  #last: Promise<void> = Promise.resolve();
  /** The part of the open turn that the last load has sent. */
  #retold: Retold = NOT_RETOLD;
  /** The turn that is open, of whomever. */
  #openTurnId: string | undefined;
  /** The last message of Claude that its transcript will have too. */
  #lastEntry: string | undefined;
  /** A prompt about which Claude has said nothing yet. */
  #lastPrompt: string | undefined;
  readonly #names = new EntryNames();
  /** The compactions that Claude has reported, or that were over before its first report. */
  readonly #compactions = new Set<string>();
  #hasBegun = false;

  /** Resolves when no past is being sent; undefined if none is. */
  get settled(): Promise<void> | undefined {
    return this.#waiting === undefined ? undefined : this.#last;
  }

  /** Whether the past had this message of the open turn. */
  has(message: OutboundDraft): boolean {
    // As a rule nothing was sent, and every delta asks.
    if (this.#retold === NOT_RETOLD) return false;
    if (isCompacting(message)) return this.#hasUntold(this.#retold);
    return isRetold(this.#retold, message, this.#names.of(message));
  }

  /** Takes what Claude says, in order. */
  take(message: OutboundDraft): void {
    this.#hasBegun = true;
    const name = this.#names.take(message);
    this.#lastEntry = name ?? this.#lastEntry;
    // A transcript has `/compact` when that is over.
    if (name !== undefined || isCompacting(message)) this.#lastPrompt = undefined;
    if (message.type === "compact_boundary" && name !== undefined) this.#compactions.add(name);
    if (message.type === "turn_started") this.#begin(message);
    else if (message.type === "turn_complete" || message.type === "turn_cancelled")
      this.#end(message.turn_id);
  }

  /** Claude goes on with another conversation. */
  leave(): void {
    this.#lastEntry = undefined;
    this.#lastPrompt = undefined;
  }

  /** Tells the past; the state of the session after it. */
  async tell(transcript: Transcript, live: UpdateState, client: Client): Promise<UpdateState> {
    const { begun } = this.#retold;
    const isOver = (told: Retold) => this.#hasUntold(told);
    const lastEntry = this.#lastPrompt ?? this.#lastEntry;
    const now = { openTurnId: this.#openTurnId, lastEntry, begun, isOver };
    const { state, retold } = await past().tellPast(transcript, { state: live, ...now }, client);
    if (this.#hasBegun) this.#retold = retold;
    else for (const name of compactionsIn(retold)) this.#compactions.add(name);
    return state;
  }

  /** Runs a step now, or when the past is sent. */
  run(step: () => void): void {
    if (this.#waiting === undefined) step();
    else this.#waiting.push(step);
  }

  /** One after the other. Rejects with what `tell` rejects with. */
  during(tell: () => Promise<void>): Promise<void> {
    const told = this.#last.then(async () => {
      this.#waiting = [];
      try {
        await tell();
      } finally {
        const waiting = this.#waiting;
        this.#waiting = undefined;
        for (const step of waiting) step();
      }
    });
    this.#last = told.catch(() => {}); // Who has asked for it is told.
    return told;
  }

  /** A compaction in the transcript without a report of its end by Claude. */
  #hasUntold(retold: Retold): boolean {
    return compactionsIn(retold).some((name) => !this.#compactions.has(name));
  }

  #begin({ turn_id, message_ids }: MessageOf<"turn_started">): void {
    const prompt = message_ids.at(-1);
    this.#openTurnId = turn_id;
    this.#lastPrompt = prompt && promptName(prompt);
  }

  /** Another turn may have begun before the end of this one. */
  #end(turnId: string): void {
    this.#lastPrompt = undefined;
    if (this.#openTurnId === turnId) this.#openTurnId = undefined;
    if (this.#openTurnId === undefined) this.#retold = NOT_RETOLD;
  }
}
