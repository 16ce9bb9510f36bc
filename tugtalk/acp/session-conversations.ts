/**
 * The conversations that one open session has led to, in memory and in its kept file. Nothing here fails:
 * `onFault` gets each failed write.
 */
import { SerialQueue } from "../src/base/serial-queue.ts";
import { nextTurn } from "../src/edge/fair-turns.ts";
import { type Kept, type KeptSessions, type Source, sourceOf } from "./kept-sessions.ts";
import type { MessageOf } from "./updates/update-state.ts";

type Init = Pick<MessageOf<"session_init">, "session_id" | "mode" | "previous_session_id">;

type Keeping = {
  readonly store: KeptSessions;
  readonly id: string;
  readonly kept?: Kept | undefined;
  /** Whether a conversation has a transcript. */
  readonly isWritten: (conversation: string) => Promise<boolean>;
  /** The title that was given to a conversation. */
  readonly titleOf: (conversation: string) => Promise<string | undefined>;
  readonly onFault: (message: string) => void;
};

export class SessionConversations {
  readonly #store: KeptSessions;
  readonly #id: string;
  readonly #writes = new SerialQueue();
  readonly #onFault: (message: string) => void;
  readonly #isWritten: Keeping["isWritten"];
  readonly #titleOf: Keeping["titleOf"];
  #kept: Kept;
  #isBegun = false;

  constructor({ store, id, kept, isWritten, titleOf, onFault }: Keeping) {
    this.#store = store;
    this.#id = id;
    this.#isWritten = isWritten;
    this.#titleOf = titleOf;
    this.#kept = kept ?? { conversations: [id] };
    this.#onFault = onFault;
  }

  get conversation(): string {
    return this.#kept.conversations.at(-1) ?? this.#id;
  }

  /** The conversation, or the conversation that it is a copy of. */
  get source(): Source {
    return sourceOf(this.#kept);
  }

  /** The title of the conversation. Undefined also if Claude has gone on to another conversation. */
  async title(): Promise<string | undefined> {
    const { conversation } = this;
    // The answer to the prompt goes first: the first title loads the reader of transcripts.
    await nextTurn();
    const title = await this.#titleOf(conversation);
    return conversation === this.conversation ? title : undefined;
  }

  /** It is new, so that no transcript has its id. */
  open(copied?: Source): void {
    const copy = copied !== undefined && { forked_from: copied.id, forked_at: copied.end };
    const kept = { ...this.#kept, ...copy };
    this.#kept = kept;
    this.#add(() => this.#store.create(this.#id, kept));
  }

  /** Claude is in this conversation. Whether it is another one than before. */
  enter({ session_id: id, mode, previous_session_id: forked_from }: Init): boolean {
    if (id === this.conversation) return false;
    this.#isBegun = false;
    const conversations = [...this.#kept.conversations, id];
    const isCopy = mode === "fork" && forked_from !== undefined;
    const { forked_at } = this.#kept;
    this.#change({ conversations, ...(isCopy && { forked_from, forked_at }) });
    return true;
  }

  /** The conversation may have a transcript: a turn has ended, or goes on. */
  begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    this.#add(() => this.#begin(this.conversation));
  }

  /** Resolves when all is written. */
  settled(): Promise<void> {
    return this.#writes.settled();
  }

  /** Claude writes no transcript for some commands; the next turn may bring one. */
  async #begin(conversation: string): Promise<void> {
    const isWritten = await this.#isWritten(conversation);
    if (conversation !== this.conversation) return;
    this.#isBegun = isWritten;
    if (!isWritten) return;
    const { conversations, forked_from } = this.#kept;
    this.#kept = { conversations };
    if (conversations.length === 1) await this.#store.remove(this.#id);
    else if (forked_from !== undefined) await this.#store.write(this.#id, this.#kept);
  }

  #change(kept: Kept): void {
    this.#kept = kept;
    this.#add(() => this.#store.write(this.#id, kept));
  }

  #add(write: () => Promise<void>): void {
    // Messages to Claude and the client go first: the first write loads `node:fs/promises`.
    const later = () => nextTurn().then(write);
    this.#writes.add(later, (cause) => this.#onFault(`cannot keep what a session is: ${cause}`));
  }
}
