/** Tells the past of a session, and keeps what Claude says meanwhile apart from it. */
import type { HostEnd } from "../src/edge/host-end.ts";
import type { OutboundDraft } from "../src/types.ts";
import { compactionsIn, EntryNames, isRetold, NOT_RETOLD, type Retold } from "./retold.ts";
import { compactionStep } from "./updates/compaction-updates.ts";
import { endPast, pastStep } from "./updates/past-updates.ts";
import type { Step, Update, UpdateState } from "./updates/update-state.ts";

/** The conversation on disk. */
export type Transcript = {
  /** The whole of it, oldest first. */
  readonly pages: () => Promise<AsyncIterable<readonly OutboundDraft[]>>;
  /** Resolves when it has what Claude has said last, or will not have it. */
  readonly caughtUp: (entry: string) => Promise<void>;
};

type Live = {
  readonly state: UpdateState;
  /** The turn that is open, of whomever. */
  readonly openTurnId: string | undefined;
  /** The last message of Claude that its transcript will have too. */
  readonly lastEntry: string | undefined;
  /** The blocks of which an earlier telling has left out a part. */
  readonly begun: Retold["begun"];
  /** Whether the transcript has the end of a compaction that Claude has not told. */
  readonly isOver: (retold: Retold) => boolean;
};

type Client = Pick<HostEnd, "flush"> & { readonly notify: (update: Update) => void };

/** The state that comes from the messages of the conversation alone. */
const NOTHING_TOLD = {
  streamed: new Set<string>(),
  tools: new Map(),
  tasks: [],
  compaction: { count: 0, isOpen: false },
};

/** Tells all of it, a page at a time. The state of the session after it, and what of the open turn it has. */
async function tellPast(
  { pages, caughtUp }: Transcript,
  { state: live, openTurnId, lastEntry, begun, isOver }: Live,
  { notify, flush }: Client,
): Promise<{ readonly state: UpdateState; readonly retold: Retold }> {
  const tell = ({ state, updates }: Step) => {
    for (const update of updates) notify(update);
    return state;
  };
  if (lastEntry !== undefined) await caughtUp(lastEntry);
  let state: UpdateState = { ...live, ...NOTHING_TOLD };
  let told = new Set<string>();
  const names = new EntryNames();
  for await (const page of await pages()) {
    told = new Set(page.flatMap((message) => names.ofPast(message)));
    for (const message of page) state = tell(pastStep(state, message));
    await flush();
  }
  state = tell(endPast(state, live.tools, openTurnId));
  const retold = { told, begun: new Set([...begun, ...live.streamed]) };
  state = tell(compactionStep(state, live, isOver(retold)));
  return { state, retold };
}

export class PastTelling {
  #waiting: (() => void)[] | undefined;
  #last: Promise<void> = Promise.resolve();
  /** The part of the open turn that the last telling has told. */
  #retold: Retold = NOT_RETOLD;
  /** The turn that is open, of whomever. */
  #openTurnId: string | undefined;
  /** The last message of Claude that its transcript will have too. */
  #lastEntry: string | undefined;
  readonly #names = new EntryNames();
  /** The compactions that Claude has told, or that were over before it has told anything. */
  readonly #compactions = new Set<string>();
  #hasBegun = false;

  /** Resolves when no past is being told; undefined if none is. */
  get settled(): Promise<void> | undefined {
    return this.#waiting === undefined ? undefined : this.#last;
  }

  /** Whether the past had this message of the open turn. */
  has(message: OutboundDraft): boolean {
    // As a rule nothing was told, and every delta asks.
    if (this.#retold === NOT_RETOLD) return false;
    if (message.type === "session_state" && message.state === "compacting")
      return this.#hasUntold(this.#retold);
    return isRetold(this.#retold, message, this.#names.of(message));
  }

  /** Takes what Claude says, in order. */
  take(message: OutboundDraft): void {
    this.#hasBegun = true;
    const name = this.#names.take(message);
    this.#lastEntry = name ?? this.#lastEntry;
    if (message.type === "compact_boundary" && name !== undefined) this.#compactions.add(name);
    if (message.type === "turn_started") this.#openTurnId = message.turn_id;
    else if (message.type === "turn_complete" || message.type === "turn_cancelled")
      this.#end(message.turn_id);
  }

  /** Claude goes on with another conversation. */
  leave(): void {
    this.#lastEntry = undefined;
  }

  /** Tells the past; the state of the session after it. */
  async tell(transcript: Transcript, live: UpdateState, client: Client): Promise<UpdateState> {
    const { begun } = this.#retold;
    const isOver = (told: Retold) => this.#hasUntold(told);
    const now = { openTurnId: this.#openTurnId, lastEntry: this.#lastEntry, begun, isOver };
    const { state, retold } = await tellPast(transcript, { state: live, ...now }, client);
    if (this.#hasBegun) this.#retold = retold;
    else for (const name of compactionsIn(retold)) this.#compactions.add(name);
    return state;
  }

  /** Runs a step now, or when the past is told. */
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

  /** A compaction in the transcript of which Claude has not told the end. */
  #hasUntold(retold: Retold): boolean {
    return compactionsIn(retold).some((name) => !this.#compactions.has(name));
  }

  /** Another turn may have begun before the end of this one. */
  #end(turnId: string): void {
    if (this.#openTurnId === turnId) this.#openTurnId = undefined;
    if (this.#openTurnId === undefined) this.#retold = NOT_RETOLD;
  }
}
