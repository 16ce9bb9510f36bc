/** The laws for one session, frame by frame, as its client sees it. */
import type { Update } from "../../acp/updates/update-state.ts";
import { type Fields, fieldsOf } from "../observer/observed.ts";
import { AgentLaw } from "./agent-law.ts";
import { CallLaw, chunkOf, isAnyTime } from "./update-laws.ts";

/** Requests after which the client shows a session. */
const OPENINGS: ReadonlySet<unknown> = new Set(["session/load", "session/resume"]);
/** Requests after which the client does not show the session. */
const ENDINGS: ReadonlySet<unknown> = new Set(["session/close", "session/delete"]);

/** The sent part of one block. */
export type Block = { readonly id: string; readonly text: string };

/** A part of a client's view of a session: the conversation, or one agent. */
export type Part = {
  /** In order. */
  readonly blocks: readonly Block[];
  /** The calls, each with its state. */
  readonly calls: ReadonlyMap<string, string | undefined>;
};

/** A client's view of a session before and after a load. */
export type Loaded = {
  readonly session: string;
  /** The place of the request. */
  readonly place: number;
  /** The sessions of which `before` is a view, each with the place since which it was sent. */
  readonly sources: readonly Pick<Source, "session" | "since">[];
  readonly before: View;
  readonly after: View;
};

/** By the call of the agent; undefined is the main conversation. */
type View = ReadonlyMap<string | undefined, Part>;

/** The shown part of a session that is copied. */
type Source = { readonly session: string; readonly since: number; readonly view: View };

/** Claude has the input of a call, so its transcript has the call. */
function isWhole(update: Update): boolean {
  return update.sessionUpdate === "tool_call_update" && update.status === "in_progress";
}

const NOTHING: View = new Map();

/**
 * The certain part of a copy: nothing of the work of agents, which may end before it is made. In an open turn, a
 * call that has failed in the source may be one of that turn until its end.
 */
function copyOf(view: View, isIdle: boolean): View {
  const { blocks = [], calls = [] } = view.get(undefined) ?? {};
  const ends: readonly unknown[] = isIdle ? ["completed", "failed"] : ["completed"];
  const ended = [...calls].filter(([, state]) => ends.includes(state));
  return new Map([[undefined, { blocks, calls: new Map(ended) }]]);
}

export class SessionLaw {
  readonly faults: string[] = [];
  readonly loads: Loaded[] = [];
  readonly #id: string;
  readonly #hasChildren: boolean;
  #calls = new CallLaw();
  #agents = new AgentLaw();
  readonly #prompts = new Set<unknown>();
  /** Requests to begin that are open, by id, each with whether it sends the past. */
  readonly #openings = new Map<unknown, boolean>();
  /** Requests to end that are open, each with the requests to begin that were open before it. */
  readonly #endings = new Map<unknown, readonly unknown[]>();
  #isShown = false;
  /** The text of each block since the past was sent last. */
  #blocks = new Map<string, string>();
  readonly #before: Block[] = [];
  /** The call of the agent that a call or a block is of. */
  readonly #parents = new Map<string, string>();
  readonly #ownTurns = new Set<unknown>();
  /** The view before the load that is open. */
  #shown: View | undefined;
  /** The place of the request with which the present view began. */
  #since = 0;
  /** The same for the view before the load that is open. */
  #shownSince = 0;
  /** The source when a copy was asked for, by the id of the request. */
  readonly #copies = new Map<unknown, Source>();
  /** The source of this session, if it is a copy. */
  #inherited: Source | undefined;
  /** A load of a copy sends the conversation of the other session, until Claude has written the copy. */
  #isMirror = false;
  #isWritten = false;

  /** `hasChildren`: the client of the session shows agents as child sessions. */
  constructor(id: string, hasChildren: boolean) {
    this.#id = id;
    this.#hasChildren = hasChildren;
  }

  /** A request of the client. */
  asked({ id, method }: Fields, place: number): void {
    if (method === "session/prompt") {
      this.#prompts.add(id);
      // A copy may have the messages from here on, or not.
      this.#copies.clear();
    }
    if (method === "session/fork" && this.#isIdle)
      this.#copies.set(id, { session: this.#id, since: this.#since, view: this.#view });
    if (ENDINGS.has(method)) this.#endings.set(id, [...this.#openings.keys()]);
    if (!OPENINGS.has(method)) return;
    const isKnown = this.#isIdle && method === "session/load" && !this.#isMirror;
    this.#shown = isKnown ? this.#view : undefined;
    this.#openings.set(id, method === "session/load");
    if (method !== "session/load") return;
    this.#shownSince = this.#since;
    this.#since = place;
    this.#forget();
  }

  answered({ method }: Fields, { id, error, result }: Fields): void {
    if (this.#prompts.delete(id)) {
      const isLast = this.#prompts.size + this.#endings.size === 0;
      this.faults.push(...this.#agents.answered(id, fieldsOf(result), isLast));
    }
    const begun = this.#endings.get(id) ?? [];
    this.#endings.delete(id);
    const isOpening = this.#openings.delete(id);
    // The client has begun to show it for nothing.
    if (error !== undefined && isOpening && !this.#isShown) this.#forget();
    if (error !== undefined) return;
    if (isOpening && method === "session/load") this.#loaded();
    if (isOpening) this.#isShown = true;
    if (ENDINGS.has(method)) this.#close(begun);
  }

  /** It has begun. */
  begin(): void {
    this.#isShown = true;
  }

  /** The session has begun as a copy. `copied`: the copied part of the other session, if it is known. */
  beginCopy(copied: Source | undefined): void {
    this.#inherited = copied;
    this.#isMirror = true;
    this.begin();
  }

  /** The source of the copy that this request has begun; undefined where it is not known. */
  copied(id: unknown): Source | undefined {
    return this.#copies.get(id);
  }

  /** `sentTo`: itself, or a child session. */
  updated(sent: unknown, sentTo: unknown): void {
    const update = sent as Update;
    const isPast = this.#isLoading;
    const { sessionUpdate: kind } = update;
    if (!this.#isShown && !isPast) this.#fail(`${kind} while the session is not open`);
    if (this.#prompts.size === 0 && !isPast && !isAnyTime(update))
      this.#fail(`${kind} after the answer: ${JSON.stringify(update)}`);
    if (kind === "user_message_chunk" && !isPast) this.#fail("a prompt comes back");
    if (!isPast && isWhole(update)) this.#isWritten = true;
    this.#record(update);
    this.faults.push(...this.#calls.take(update));
    const [prompt] = isPast ? [] : this.#prompts;
    const place = { sentTo, session: this.#id, hasChildren: this.#hasChildren, prompt };
    this.faults.push(...this.#agents.take(update, place));
    for (const { id, text } of chunkOf(update)) {
      if (text === "") this.#fail("an empty chunk");
      if (id !== undefined) this.#blocks.set(id, (this.#blocks.get(id) ?? "") + text);
    }
  }

  #loaded(): void {
    const [session, before] = [this.#id, this.#shown ?? NOTHING];
    const now = { session, place: this.#since, after: this.#view };
    this.loads.push({ ...now, before, sources: [{ session, since: this.#shownSince }] });
    if (this.#inherited !== undefined) {
      const sources = [this.#inherited, { session, since: 0 }];
      const before = copyOf(this.#inherited.view, this.#isIdle);
      this.loads.push({ ...now, before, sources });
    }
    if (this.#isWritten) this.#isMirror = false;
    // The past of the next load begins here.
    if (this.#isLoading) this.#forget();
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

  /** The parts that are left open. */
  get open(): readonly string[] {
    return this.#calls.open;
  }

  get #view(): View {
    const parentOf = ([id]: readonly [string, unknown]) => this.#parents.get(id);
    const blocks = Map.groupBy(this.#blocks, parentOf);
    const calls = Map.groupBy(this.#calls.states, parentOf);
    const parents = new Set([...blocks.keys(), ...calls.keys()]);
    const partOf = (parent: string | undefined): Part => ({
      blocks: (blocks.get(parent) ?? []).map(([id, text]) => ({ id, text })),
      calls: new Map(calls.get(parent)),
    });
    return new Map([...parents].map((parent) => [parent, partOf(parent)]));
  }

  #record(update: Update): void {
    const { state, turnId, parentToolCallId } = fieldsOf(update._meta?.["tugtalk"]);
    if (state === "running") this.#ownTurns.add(turnId);
    if (state === "idle") this.#ownTurns.delete(turnId);
    if (parentToolCallId === undefined) return;
    const { toolCallId, messageId } = fieldsOf(update);
    this.#parents.set(String(toolCallId ?? messageId), String(parentToolCallId));
  }

  /** Also ends loads that are still to be answered. */
  #close(begun: readonly unknown[]): void {
    for (const opening of begun) this.#openings.delete(opening);
    this.#isShown = false;
    this.faults.push(...this.#calls.open);
    this.#forget();
  }

  /** The view of the client begins anew. */
  #forget(): void {
    this.#calls = new CallLaw();
    this.#agents = new AgentLaw();
    this.#before.push(...[...this.#blocks].map(([id, text]) => ({ id, text })));
    this.#blocks = new Map();
  }

  #fail(what: string): void {
    this.faults.push(`${this.#id}: ${what}`);
  }
}
