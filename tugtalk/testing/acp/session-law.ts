/** What holds for one session, frame by frame, as its client sees it. */
import type { Update } from "../../acp/updates/update-state.ts";
import { type Fields, fieldsOf } from "../observer/observed.ts";
import { CallLaw, chunkOf, isAnyTime } from "./update-laws.ts";

/** Requests that begin to show a session. */
const OPENINGS: ReadonlySet<unknown> = new Set(["session/load", "session/resume"]);
/** Requests that end that. */
const ENDINGS: ReadonlySet<unknown> = new Set(["session/close", "session/delete"]);

/** What was sent of one block. */
export type Block = { readonly id: string; readonly text: string };

/** What a client has of an idle session before and after a load. */
export type Loaded = { readonly before: View; readonly after: View };

type View = {
  /** The blocks of the main conversation, in order. */
  readonly blocks: readonly Block[];
  /** The calls of the main conversation, each with its state. */
  readonly calls: ReadonlyMap<string, string | undefined>;
};

export class SessionLaw {
  readonly faults: string[] = [];
  readonly loads: Loaded[] = [];
  readonly #id: string;
  #calls = new CallLaw();
  readonly #prompts = new Set<unknown>();
  /** Requests to begin that are open, by id, each with whether it sends the past. */
  readonly #openings = new Map<unknown, boolean>();
  #isShown = false;
  /** The text of each block since the past was sent last. */
  #blocks = new Map<string, string>();
  readonly #before: Block[] = [];
  /** Calls and blocks of agents, which a load need not send. */
  readonly #ofAgents = new Set<string>();
  readonly #ownTurns = new Set<unknown>();
  /** What was shown before the load that is open. */
  #shown: View | undefined;
  /** What was shown when a copy was asked for, by the id of the request. */
  readonly #copies = new Map<unknown, View>();
  /** What this one is a copy of. */
  #inherited: View | undefined;
  /** A load of a copy sends what the other session has, until a load behind its first turn. */
  #isMirror = false;
  #hasTurn = false;

  constructor(id: string) {
    this.#id = id;
  }

  /** A request of the client. */
  asked({ id, method }: Fields): void {
    if (method === "session/prompt") {
      this.#prompts.add(id);
      // A copy may have what is said from here on, or not.
      this.#copies.clear();
    }
    if (method === "session/fork" && this.#isIdle) this.#copies.set(id, this.#view);
    if (!OPENINGS.has(method)) return;
    const isKnown = this.#isIdle && method === "session/load" && !this.#isMirror;
    this.#shown = isKnown ? this.#view : undefined;
    this.#openings.set(id, method === "session/load");
    if (method === "session/load") this.#forget();
  }

  answered({ method }: Fields, { id, error, result }: Fields): void {
    this.#prompts.delete(id);
    if (fieldsOf(result)["stopReason"] === "end_turn") this.#hasTurn = true;
    this.#openings.delete(id);
    if (error !== undefined) return;
    if (method === "session/load")
      for (const before of [this.#shown, this.#inherited])
        if (before !== undefined) this.loads.push({ before, after: this.#view });
    if (OPENINGS.has(method)) this.#isShown = true;
    if (method === "session/load" && this.#hasTurn) this.#isMirror = false;
    // The past of the next load begins here.
    if (method === "session/load" && this.#isLoading) this.#forget();
    if (ENDINGS.has(method)) this.#close();
  }

  /** It has begun. */
  begin(): void {
    this.#isShown = true;
  }

  /** It has begun, as a copy of what another session had, if that is known. */
  beginCopy(copied: View | undefined): void {
    this.#inherited = copied;
    this.#isMirror = true;
    this.begin();
  }

  /** What the copy has that this request has begun; undefined where it is not known. */
  copied(id: unknown): View | undefined {
    return this.#copies.get(id);
  }

  updated(sent: unknown): void {
    const update = sent as Update;
    const isPast = this.#isLoading;
    const { sessionUpdate: kind } = update;
    if (!this.#isShown && !isPast) this.#fail(`${kind} while the session is not open`);
    if (this.#prompts.size === 0 && !isPast && !isAnyTime(update))
      this.#fail(`${kind} after the answer: ${JSON.stringify(update)}`);
    if (kind === "user_message_chunk" && !isPast) this.#fail("a prompt comes back");
    this.#note(update);
    this.faults.push(...this.#calls.take(update));
    for (const { id, text } of chunkOf(update)) {
      if (text === "") this.#fail("an empty chunk");
      if (id !== undefined) this.#blocks.set(id, (this.#blocks.get(id) ?? "") + text);
    }
  }

  get #isIdle(): boolean {
    return this.#isShown && this.#prompts.size + this.#openings.size + this.#ownTurns.size === 0;
  }

  get #isLoading(): boolean {
    return [...this.#openings.values()].includes(true);
  }

  /** The text of each block, once for each time that it was sent. */
  get texts(): readonly Block[] {
    return [...this.#before, ...[...this.#blocks].map(([id, text]) => ({ id, text }))];
  }

  /** What is left open. */
  get open(): readonly string[] {
    return this.#calls.open;
  }

  get #view(): View {
    const isMain = (id: string) => !this.#ofAgents.has(id);
    const blocks = [...this.#blocks].map(([id, text]) => ({ id, text }));
    const calls = [...this.#calls.states].filter(([id]) => isMain(id));
    return { blocks: blocks.filter(({ id }) => isMain(id)), calls: new Map(calls) };
  }

  #note(update: Update): void {
    const { state, turnId, parentToolCallId } = fieldsOf(update._meta?.["tugtalk"]);
    if (state === "running") this.#ownTurns.add(turnId);
    if (state === "idle") this.#ownTurns.delete(turnId);
    if (parentToolCallId === undefined) return;
    const { toolCallId, messageId } = fieldsOf(update);
    this.#ofAgents.add(String(toolCallId ?? messageId));
  }

  #close(): void {
    this.#isShown = false;
    this.faults.push(...this.#calls.open);
    this.#forget();
  }

  /** The view of the client begins anew. */
  #forget(): void {
    this.#calls = new CallLaw();
    this.#before.push(...[...this.#blocks].map(([id, text]) => ({ id, text })));
    this.#blocks = new Map();
  }

  #fail(what: string): void {
    this.faults.push(`${this.#id}: ${what}`);
  }
}
