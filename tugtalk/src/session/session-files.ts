/** The files of the current conversation, and of the conversation that the host switches to. */
import type { OutboundDraft } from "../types.ts";
import type { CurrentSession } from "./current-session.ts";
import { type PastSessions, resolveTarget, type SessionTarget } from "./session-target.ts";
import { SharedTurns } from "./shared-turns.ts";

export class SessionFiles {
  readonly #past: PastSessions;
  readonly #current: CurrentSession;
  readonly #sharedTurns = new SharedTurns();

  constructor(past: PastSessions, current: CurrentSession) {
    this.#past = past;
    this.#current = current;
  }

  /** Reads the emitted receipts: of several messages that share a turn, Claude writes one to disk. */
  record(message: OutboundDraft): void {
    this.#sharedTurns.record(message);
  }

  /** Finds the conversation, and makes it the current one. Rejects with `resume_failed`. */
  async switchTo(target: SessionTarget): Promise<void> {
    const resolved = await resolveTarget(target, {
      ...this.#past,
      findResumePoint: (id, message) =>
        this.#past.findResumePoint(id, message, ...this.#sharedTurns.after(message)),
    });
    this.#current.switchTo(resolved);
  }

  /** Finds out whether the conversation has begun. Only where Claude does not find it does that matter. */
  async lookForTranscript(sessionId: string): Promise<void> {
    // A session that cannot be looked up counts as begun: then Claude's own error is emitted.
    const isUnbegun = await this.#past.isUnbegun(sessionId).catch(() => false);
    if (isUnbegun) this.#current.recordUnbegun(sessionId);
  }

  /** Once Claude has answered from a resume point, the transcript begins there. */
  async checkResumePoint(): Promise<void> {
    const { id, openResumePoint } = this.#current;
    if (id === undefined || openResumePoint === undefined) return;
    if (await this.#past.hasBranched(id, openResumePoint)) this.#current.clearResumePoint();
  }
}
