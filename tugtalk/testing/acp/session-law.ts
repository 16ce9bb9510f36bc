/** What holds for one session, frame by frame, as its client sees it. */
import type { Update } from "../../acp/updates/update-state.ts";
import type { Fields } from "../observer/observed.ts";
import { CallLaw, chunkOf, isAnyTime } from "./update-laws.ts";

/** Requests that begin to show a session. */
const OPENINGS: ReadonlySet<unknown> = new Set(["session/new", "session/load", "session/resume"]);
/** Requests that end that. */
const ENDINGS: ReadonlySet<unknown> = new Set(["session/close", "session/delete"]);

/** What was sent of one block. */
export type Block = { readonly id: string; readonly text: string };

export class SessionLaw {
  readonly faults: string[] = [];
  readonly #id: string;
  #calls = new CallLaw();
  readonly #prompts = new Set<unknown>();
  /** Requests to begin that are open, by id, each with whether it sends the past. */
  readonly #openings = new Map<unknown, boolean>();
  #isShown = false;
  /** The text of each block since the past was sent last. */
  #blocks = new Map<string, string>();
  readonly #before: Block[] = [];

  constructor(id: string) {
    this.#id = id;
  }

  /** A request of the client. */
  asked({ id, method }: Fields): void {
    if (method === "session/prompt") this.#prompts.add(id);
    if (!OPENINGS.has(method)) return;
    this.#openings.set(id, method === "session/load");
    if (method === "session/load") this.#forget();
  }

  answered({ method }: Fields, { id, error }: Fields): void {
    this.#prompts.delete(id);
    this.#openings.delete(id);
    if (error !== undefined) return;
    if (OPENINGS.has(method)) this.#isShown = true;
    // The past of the next load begins here.
    if (method === "session/load" && this.#isLoading) this.#forget();
    if (ENDINGS.has(method)) this.#close();
  }

  updated(sent: unknown): void {
    const update = sent as Update;
    const isPast = this.#isLoading;
    const { sessionUpdate: kind } = update;
    if (!this.#isShown && !isPast) this.#fail(`${kind} while the session is not open`);
    if (this.#prompts.size === 0 && !isPast && !isAnyTime(update))
      this.#fail(`${kind} after the answer: ${JSON.stringify(update)}`);
    if (kind === "user_message_chunk" && !isPast) this.#fail("a prompt comes back");
    this.faults.push(...this.#calls.take(update));
    for (const { id, text } of chunkOf(update)) {
      if (text === "") this.#fail("an empty chunk");
      if (id !== undefined) this.#blocks.set(id, (this.#blocks.get(id) ?? "") + text);
    }
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
