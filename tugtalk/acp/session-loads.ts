/**
 * The loads of one session: each sends the client the transcript. Messages that Claude sends meanwhile wait,
 * and messages that the transcript has already are not sent again.
 */
import type { OutboundDraft } from "../src/types.ts";
import { late } from "./late.ts";
import {
  compactionsIn,
  EntryNames,
  isRetold,
  NOT_RETOLD,
  promptName,
  type Retold,
} from "./retold.ts";
import type { Client, Transcript } from "./send-transcript.ts";
import type { MessageOf, UpdateState } from "./updates/update-state.ts";

const sending = late(
  () => require("./send-transcript.ts") as typeof import("./send-transcript.ts"),
);

function isCompacting(message: OutboundDraft): boolean {
  return message.type === "session_state" && message.state === "compacting";
}

export class SessionLoads {
  /** The messages of Claude that wait for the end of a load. Undefined while no load runs. */
  #waiting: (() => void)[] | undefined;
  #last: Promise<void> = Promise.resolve();
  /** The messages of the open turn that the last load has sent. */
  #retold: Retold = NOT_RETOLD;
  /** The open turn: of a prompt, or Claude's own. */
  #openTurnId: string | undefined;
  /** The name of the last message that Claude writes to its transcript, too. */
  #lastEntry: string | undefined;
  /** The name of the last prompt, until Claude says something about it. */
  #lastPrompt: string | undefined;
  /** The last text that the client has sent, and the last text before the compaction in the open turn. */
  #hostText: MessageOf<"user_text"> | undefined;
  #prompt: MessageOf<"user_text"> | undefined;
  readonly #names = new EntryNames();
  /** The compactions whose end Claude has reported, and the older compactions that a load has found. */
  readonly #compactions = new Set<string>();
  /** Claude has sent a message. */
  #hasBegun = false;

  /** Resolves when the transcript is sent; undefined while none is being sent. */
  get settled(): Promise<void> | undefined {
    return this.#waiting === undefined ? undefined : this.#last;
  }

  /** Whether a load has sent this message of the open turn. */
  hasSent(message: OutboundDraft): boolean {
    // The usual case comes first: this runs for every delta.
    if (this.#retold === NOT_RETOLD) return false;
    if (isCompacting(message)) return this.#hasUntold(this.#retold);
    return isRetold(this.#retold, message, this.#names.of(message));
  }

  /** Notes each message of Claude, in order. */
  take(message: OutboundDraft): void {
    this.#hasBegun = true;
    const name = this.#names.take(message);
    this.#lastEntry = name ?? this.#lastEntry;
    // Claude writes the prompt `/compact` only when the compaction is over, so that no load can wait for it.
    if (isCompacting(message) && this.#lastPrompt !== undefined) this.#prompt = this.#hostText;
    if (name !== undefined || isCompacting(message)) this.#lastPrompt = undefined;
    if (message.type === "user_text" && message.kind === "host") this.#hostText = message;
    if (message.type === "compact_boundary" && name !== undefined) this.#compactions.add(name);
    if (message.type === "turn_started") this.#begin(message);
    else if (message.type === "turn_complete" || message.type === "turn_cancelled")
      this.#end(message.turn_id);
  }

  /** Claude goes on with another conversation, whose transcript has none of these. */
  leave(): void {
    this.#lastEntry = undefined;
    this.#lastPrompt = undefined;
    this.#prompt = undefined;
  }

  /** Sends the transcript. The state of the session after it. */
  async send(transcript: Transcript, live: UpdateState, client: Client): Promise<UpdateState> {
    const { begun } = this.#retold;
    const lastEntry = this.#lastPrompt ?? this.#lastEntry;
    const isOver = (told: Retold) => {
      this.#noteOld(told, lastEntry);
      return this.#hasUntold(told);
    };
    const now = {
      openTurnId: this.#openTurnId,
      lastEntry,
      prompt: transcript.isOwn ? this.#prompt : undefined,
      begun,
      isOver,
    };
    const { state, retold } = await sending().sendTranscript(
      transcript,
      { state: live, ...now },
      client,
    );
    if (this.#hasBegun) this.#retold = retold;
    return state;
  }

  /** Runs a step now, or when the transcript is sent. */
  run(step: () => void): void {
    if (this.#waiting === undefined) step();
    else this.#waiting.push(step);
  }

  /** Runs loads one after the other. Rejects like `load`. */
  during(load: () => Promise<void>): Promise<void> {
    const loaded = this.#last.then(async () => {
      this.#waiting = [];
      try {
        await load();
      } finally {
        const waiting = this.#waiting;
        this.#waiting = undefined;
        for (const step of waiting) step();
      }
    });
    // The client that has asked for the load gets its error: the next load goes on.
    this.#last = loaded.catch(() => {});
    return loaded;
  }

  /** The compactions before Claude's last entry are reported, or from before this Claude. */
  #noteOld({ told }: Retold, lastEntry: string | undefined): void {
    const names = [...told];
    const end = this.#hasBegun ? names.lastIndexOf(lastEntry ?? "") : names.length;
    for (const name of compactionsIn(names.slice(0, Math.max(0, end)))) this.#compactions.add(name);
  }

  /** Whether the transcript has a compaction whose end Claude has not reported. */
  #hasUntold(retold: Retold): boolean {
    return compactionsIn(retold.told).some((name) => !this.#compactions.has(name));
  }

  #begin({ turn_id, message_ids }: MessageOf<"turn_started">): void {
    const prompt = message_ids.at(-1);
    this.#openTurnId = turn_id;
    this.#lastPrompt = prompt && promptName(prompt);
  }

  /** Another turn may have begun before the end of this one. */
  #end(turnId: string): void {
    this.#lastPrompt = undefined;
    this.#prompt = undefined;
    if (this.#openTurnId === turnId) this.#openTurnId = undefined;
    if (this.#openTurnId === undefined) this.#retold = NOT_RETOLD;
  }
}
