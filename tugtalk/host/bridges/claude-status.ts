/** Whether a Claude of a bridge may be running, by the messages of the bridge. Pure. */
import type { OutboundMessage } from "../../src/types.ts";

export class ClaudeStatus {
  #pid: number | undefined;
  #mayRun = false;

  /** The Claude that was started last, while its end is not reported. */
  get pid(): number | undefined {
    return this.#pid;
  }

  /** False before the bridge got a line, and once it has reported an end after which it starts none. */
  get mayRun(): boolean {
    return this.#mayRun;
  }

  /** The bridge got a line, at which it may start Claude. */
  recordSent(): void {
    this.#mayRun = true;
  }

  record(message: OutboundMessage): void {
    if (message.type === "process_started") this.#pid = message.pid;
    if (message.type === "process_exit") {
      this.#pid = undefined;
      this.#mayRun = message.will_restart;
    }
    // After a fatal error the bridge ends. Where a Claude runs, its end is reported too.
    if (message.type === "error" && !message.recoverable && this.#pid === undefined)
      this.#mayRun = false;
  }
}
