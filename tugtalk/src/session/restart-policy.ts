/** Decides whether Claude is started again after the end of a process. */
import type { TugtalkError } from "../messages/errors.ts";
import type { CurrentSession } from "./current-session.ts";

/** Restarts in one window of time. More would let a crash loop. */
const RESTARTS = 3;
const WINDOW_MS = 60_000;

export const RESTART_LIMIT = {
  code: "claude_exited",
  message: "claude keeps ending: started three times in a minute; wait a minute",
} as const;

export class RestartPolicy {
  readonly #now: () => number;
  readonly #session: CurrentSession;
  #restarts: number[] = [];
  #hasBeenReady = false;

  constructor(now: () => number, session: CurrentSession) {
    this.#now = now;
    this.#session = session;
  }

  /** Whether a restart is allowed at this moment. */
  get isLeft(): boolean {
    const since = this.#now() - WINDOW_MS;
    this.#restarts = this.#restarts.filter((at) => at > since);
    return this.#restarts.length < RESTARTS;
  }

  recordRestart(): void {
    this.#restarts.push(this.#now());
  }

  /** A process has started. */
  recordReady(): void {
    this.#hasBeenReady = true;
  }

  /** The start failed because the current conversation, which is empty, has no transcript. */
  startsAnew(failure: TugtalkError | undefined): boolean {
    return failure?.reason === "no_such_session" && this.#session.isEmpty;
  }

  /** The conversation cannot be used: another one must be chosen. */
  endsSession({ code, reason }: TugtalkError): boolean {
    return code === "resume_failed" || reason === "id_in_use";
  }

  /** No process has ever started, and another conversation would not help. */
  isFatal({ code }: TugtalkError): boolean {
    return !this.#hasBeenReady && code !== "resume_failed";
  }

  /** Whether the next message starts Claude. `failure`: the process that ended was never ready. */
  willRestart(
    failure: TugtalkError | undefined,
    { isDraining, hasQueued }: { readonly isDraining: boolean; readonly hasQueued: boolean },
  ): boolean {
    if (!this.isLeft) return false;
    const goesOn = failure === undefined || this.startsAnew(failure);
    // While tugtalk drains no next message comes, and a failed start drops the queued ones.
    if (isDraining) return goesOn && hasQueued;
    return goesOn || !(this.endsSession(failure) || this.isFatal(failure));
  }
}
