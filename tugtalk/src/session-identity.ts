/**
 * Which conversation is in hand: its id, how it came to be, and how a process is started that goes
 * on with it. Ids are minted here, so they are known before Claude talks. Protocol reference §7; D04, D10.
 */
import type { ClaudeSpawnConfig } from "./claude-args.ts";
import { TugtalkError } from "./errors.ts";
import type { SessionInit } from "./session-messages.ts";
import type { OutboundDraft, SessionChoice } from "./types.ts";

type SessionArgs = Pick<ClaudeSpawnConfig, "sessionId" | "forkSession" | "sessionIdOverride">;

export class SessionIdentity {
  readonly #newId: () => string;
  #id: string | undefined;
  #mode: SessionInit["mode"] = "new";
  #forkedFrom: string | undefined;
  /** Claude has begun to write it down, so it can be resumed. */
  #isWritten = false;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** The id of the conversation in hand. */
  get id(): string | undefined {
    return this.#id;
  }

  /** The conversation that a fork branches off: the one in hand, once something was said in it. */
  get source(): string | undefined {
    return this.#isWritten ? this.#id : this.#forkedFrom;
  }

  /** There is nothing to go on with: another conversation has to be chosen. */
  leave(): void {
    this.#id = undefined;
  }

  /** Takes up another conversation; `found` is the one that is meant where none is named. Throws where there is none to go on with. */
  choose(choice: SessionChoice, found: string | undefined): void {
    const source = choice.mode === "continue" ? found : (choice.session_id ?? found);
    if (choice.mode !== "new" && source === undefined) {
      throw new TugtalkError(
        "resume_failed",
        "there is no conversation in this folder to go on with",
        {
          reason: "no_such_session",
        },
      );
    }
    this.#mode = choice.mode;
    this.#isWritten = choice.mode === "resume" || choice.mode === "continue";
    this.#forkedFrom = choice.mode === "fork" ? source : undefined;
    this.#id = this.#isWritten ? source : this.#ownId(choice);
  }

  #ownId(choice: SessionChoice): string {
    return choice.mode === "new" ? (choice.session_id ?? this.#newId()) : this.#newId();
  }

  /** The next process goes on with the conversation in hand. */
  keep(): void {
    if (this.#isWritten) this.#mode = "resume";
  }

  /** How a process is started for it. */
  get args(): SessionArgs {
    if (this.#isWritten) return { sessionId: this.#id };
    if (this.#forkedFrom === undefined) return { sessionIdOverride: this.#id };
    return { sessionId: this.#forkedFrom, forkSession: true, sessionIdOverride: this.#id };
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
    this.#isWritten = true;
    if (sessionId === this.#id) return [];
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
