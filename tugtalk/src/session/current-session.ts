/**
 * The current conversation: its id, how it came to be, and the flags of a process that goes on with
 * it. Ids are made here, so they are known before Claude starts. Protocol reference §7.
 */
import type { ClaudeSpawnConfig } from "../claude/claude-args.ts";
import type { ResumePoint } from "../messages/history-messages.ts";
import type { SessionInit } from "../messages/session-messages.ts";
import type { OutboundDraft } from "../types.ts";
import type { ForkSource, ResolvedTarget } from "./session-target.ts";

type SpawnArgs = Pick<
  ClaudeSpawnConfig,
  "sessionId" | "forkSession" | "sessionIdOverride" | "resumeAt"
>;

export class CurrentSession {
  readonly #newId: () => string;
  #id: string | undefined;
  #mode: SessionInit["mode"] = "new";
  #forkedFrom: string | undefined;
  #resumePoint: ResumePoint | undefined;
  /** Claude has begun a turn in it, so it can be resumed. */
  #isWritten = false;
  /** `/clear` started it, and no other turn has followed. */
  #isJustCleared = false;
  /** It has no transcript anywhere, although the host resumes it. */
  #isUnbegun = false;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Undefined where another conversation must be chosen. */
  get id(): string | undefined {
    return this.#id;
  }

  /** The source of a fork. Undefined where there is no current conversation. */
  get forkSource(): ForkSource | undefined {
    if (this.#id === undefined) return undefined;
    const source = this.#isWritten ? this.#id : this.#forkedFrom;
    return { source, resumePoint: this.#resumePoint };
  }

  /** The conversation cannot be resumed. */
  clear(): void {
    this.#id = undefined;
  }

  switchTo({ choice, source, resumePoint }: ResolvedTarget): void {
    this.#mode = choice.mode;
    this.#isWritten = choice.mode === "resume" || choice.mode === "continue";
    this.#isJustCleared = false;
    this.#isUnbegun = false;
    this.#forkedFrom = choice.mode === "fork" ? source : undefined;
    this.#resumePoint = resumePoint;
    const given = choice.mode === "new" ? choice.session_id : undefined;
    this.#id = this.#isWritten ? source : (given ?? this.#newId());
  }

  /** Where the transcript was resumed. A restart names it until Claude has answered from there. */
  get openResumePoint(): ResumePoint | undefined {
    return this.#isWritten ? this.#resumePoint : undefined;
  }

  /** Claude has answered from the resume point. */
  clearResumePoint(): void {
    this.#resumePoint = undefined;
  }

  /**
   * The next process goes on with this conversation. A fork in which nothing was said gets another id,
   * since 2.1.38 writes its transcript as soon as it starts.
   */
  prepareRestart(): void {
    if (this.#isWritten) this.#mode = "resume";
    else if (this.#forkedFrom !== undefined) this.#id = this.#newId();
  }

  /** It holds no message yet, and Claude may have died before it wrote a transcript. */
  get isEmpty(): boolean {
    return this.#isJustCleared || this.#isUnbegun;
  }

  /** It has no transcript, so that Claude cannot resume it, and takes its id for a new one. */
  get isUnbegun(): boolean {
    return this.#isUnbegun;
  }

  recordUnbegun(sessionId: string): void {
    this.#isUnbegun ||= sessionId === this.#id && this.#mode === "resume";
  }

  /** Starts anew; under another id if the old one was in use, which 2.1.197 would refuse. */
  startAnew(): void {
    if (!this.#isUnbegun) this.#id = this.#newId();
    this.#isJustCleared = false;
    this.#isUnbegun = false;
    this.#isWritten = false;
    this.#mode = "new";
  }

  get spawnArgs(): SpawnArgs {
    const resumeAt = this.#resumePoint?.at;
    if (this.#isWritten) return { sessionId: this.#id, resumeAt };
    if (this.#forkedFrom === undefined) return { sessionIdOverride: this.#id };
    return {
      sessionId: this.#forkedFrom,
      forkSession: true,
      sessionIdOverride: this.#id,
      resumeAt,
    };
  }

  /** Whether Claude's cost counter starts at 0. */
  get isNew(): boolean {
    return !this.#isWritten && this.#forkedFrom === undefined;
  }

  /** The messages to emit when the process is ready. */
  get initMessages(): OutboundDraft[] {
    const previous = this.#mode === "fork" ? this.#forkedFrom : undefined;
    return this.#id === undefined ? [] : [sessionInit(this.#id, this.#mode, previous)];
  }

  /** A turn began under this id. Another id than before means that Claude left the old conversation. */
  recordTurn(sessionId: string): OutboundDraft[] {
    // The transcript of a fork ends at the resume point.
    if (!this.#isWritten) this.#resumePoint = undefined;
    this.#isJustCleared = sessionId !== this.#id;
    this.#isUnbegun = false;
    this.#isWritten = true;
    if (sessionId === this.#id) return [];
    this.#resumePoint = undefined;
    this.#forkedFrom = undefined;
    const previous = this.#id;
    this.#id = sessionId;
    return [sessionInit(sessionId, "clear", previous)];
  }
}

function sessionInit(
  session_id: string,
  mode: SessionInit["mode"],
  previous: string | undefined,
): OutboundDraft {
  return {
    type: "session_init",
    session_id,
    mode,
    ...(previous !== undefined && { previous_session_id: previous }),
  };
}
