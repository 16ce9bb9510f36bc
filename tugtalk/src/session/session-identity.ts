/**
 * Which conversation is in hand: its id, how it came to be, and how a process is started that goes
 * on with it. Ids are minted here, so they are known before Claude talks. Protocol reference §7; D04, D10.
 */
import type { ClaudeSpawnConfig } from "../claude/claude-args.ts";
import type { ResumePoint } from "../messages/history-messages.ts";
import type { SessionInit } from "../messages/session-messages.ts";
import type { OutboundDraft } from "../types.ts";
import type { CurrentSession } from "./session-choice.ts";
import type { FoundSession } from "./session-search.ts";

type SessionArgs = Pick<
  ClaudeSpawnConfig,
  "sessionId" | "forkSession" | "sessionIdOverride" | "resumeAt"
>;

export class SessionIdentity {
  readonly #newId: () => string;
  #id: string | undefined;
  #mode: SessionInit["mode"] = "new";
  #forkedFrom: string | undefined;
  #place: ResumePoint | undefined;
  /** Claude has begun to write it down, so it can be resumed. */
  #isWritten = false;
  /** It was begun here, by its first turn, which Claude may not have written yet. */
  #isUnproven = false;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** The id of the conversation in hand. */
  get id(): string | undefined {
    return this.#id;
  }

  /**
   * What a branch starts from: the conversation in hand, once something was said in it. Nothing where
   * none is in hand.
   */
  get current(): CurrentSession | undefined {
    if (this.#id === undefined) return undefined;
    return { source: this.#isWritten ? this.#id : this.#forkedFrom, place: this.#place };
  }

  /** There is nothing to go on with: another conversation has to be chosen. */
  leave(): void {
    this.#id = undefined;
  }

  /** Takes up another conversation. */
  choose({ choice, source, place }: FoundSession): void {
    this.#mode = choice.mode;
    this.#isWritten = choice.mode === "resume" || choice.mode === "continue";
    this.#isUnproven = false;
    this.#forkedFrom = choice.mode === "fork" ? source : undefined;
    this.#place = place;
    const given = choice.mode === "new" ? choice.session_id : undefined;
    this.#id = this.#isWritten ? source : (given ?? this.#newId());
  }

  /**
   * Where the conversation in hand was taken up, as long as a process that goes on with it has to be
   * told: until Claude has answered from there, it is still what it was before.
   */
  get openPlace(): ResumePoint | undefined {
    return this.#isWritten ? this.#place : undefined;
  }

  /** Claude has answered from the place on: it need not be told any more. */
  closePlace(): void {
    this.#place = undefined;
  }

  /**
   * The next process goes on with the conversation in hand. A branch in which nothing was said begins
   * again under another id, since 2.1.38 has a transcript of it as soon as it starts.
   */
  keep(): void {
    if (this.#isWritten) this.#mode = "resume";
    else if (this.#forkedFrom !== undefined) this.#id = this.#newId();
  }

  /** Claude may have died before it wrote the first turn: there is nothing to go on with then. */
  get mayBeEmpty(): boolean {
    return this.#isUnproven && this.#forkedFrom === undefined;
  }

  /** Claude knows nothing of it: it begins again, under another id, since 2.1.197 takes this one for used. */
  beginAnew(): void {
    this.#id = this.#newId();
    this.#isUnproven = false;
    this.#isWritten = false;
    this.#mode = "new";
  }

  /** How a process is started for it. */
  get args(): SessionArgs {
    const resumeAt = this.#place?.at;
    if (this.#isWritten) return { sessionId: this.#id, resumeAt };
    if (this.#forkedFrom === undefined) return { sessionIdOverride: this.#id };
    return {
      sessionId: this.#forkedFrom,
      forkSession: true,
      sessionIdOverride: this.#id,
      resumeAt,
    };
  }

  /** Whether what was spent before is part of Claude's count: only a new conversation starts at 0. */
  get startsFromNothing(): boolean {
    return !this.#isWritten && this.#forkedFrom === undefined;
  }

  /** The process is there: tells the host what it talks to. */
  announce(): OutboundDraft[] {
    if (this.#id === undefined) return [];
    return [
      {
        type: "session_init",
        session_id: this.#id,
        mode: this.#mode,
        ...(this.#mode === "fork" &&
          this.#forkedFrom !== undefined && { previous_session_id: this.#forkedFrom }),
      },
    ];
  }

  /** A turn began under this id: another one than before means that Claude left the old conversation. */
  note(sessionId: string): OutboundDraft[] {
    // A branch has a transcript of its own, which holds no more than was kept.
    if (!this.#isWritten) this.#place = undefined;
    this.#isUnproven = !this.#isWritten || sessionId !== this.#id;
    this.#isWritten = true;
    if (sessionId === this.#id) return [];
    this.#place = undefined;
    this.#forkedFrom = undefined;
    const previous = this.#id;
    this.#id = sessionId;
    return [
      {
        type: "session_init",
        session_id: sessionId,
        mode: "clear",
        ...(previous !== undefined && { previous_session_id: previous }),
      },
    ];
  }
}
