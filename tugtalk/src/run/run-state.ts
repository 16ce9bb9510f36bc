/** The state of a run, emitted as `session_state` whenever it changes. */

import type { SessionStateChanged } from "../messages/session-messages.ts";
import type { OutboundDraft } from "../types.ts";

type BackgroundTasks = SessionStateChanged["background_tasks"];

/** The facts that other parts of the run know. */
export type RunFacts = {
  readonly isAsking: boolean;
  readonly isRunning: boolean;
  readonly isStalled: boolean;
};

export class RunState {
  readonly #emit: (message: OutboundDraft) => void;
  #emitted: SessionStateChanged["state"] | undefined;
  #emittedTasks: BackgroundTasks;
  /** Claude has answered or printed something. */
  isReady = false;
  /** The end has begun, or stdout is closed. */
  isEnding = false;
  /** Claude is shortening the conversation. */
  isCompacting = false;
  /** The tasks in the background, as Claude lists them; undefined where it does not. */
  backgroundTasks: BackgroundTasks;

  constructor(emit: (message: OutboundDraft) => void) {
    this.#emit = emit;
  }

  /** Emits the state if it differs from the one emitted last. */
  update(facts: RunFacts): void {
    const state = this.#stateOf(facts);
    const hasSameTasks =
      this.backgroundTasks === this.#emittedTasks ||
      Bun.deepEquals(this.backgroundTasks, this.#emittedTasks, true);
    if (state === this.#emitted && hasSameTasks) return;
    this.#emitted = state;
    this.#emittedTasks = this.backgroundTasks;
    this.#emit({
      type: "session_state",
      state,
      ...(this.backgroundTasks !== undefined && { background_tasks: this.backgroundTasks }),
    });
  }

  #stateOf({ isAsking, isRunning, isStalled }: RunFacts): SessionStateChanged["state"] {
    if (!this.isReady) return "starting";
    if (isAsking) return "requires_action";
    if (isStalled) return "stalled";
    if (this.isCompacting) return "compacting";
    return isRunning ? "running" : "idle";
  }
}
