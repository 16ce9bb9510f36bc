/** Whether a Claude of a bridge may be running, by the bridge's messages. Pure. */
import type { OutboundMessage } from "../../src/types.ts";

export class ClaudeStatus {
  #pid: number | undefined;
  #mayRun = false;

  /** The process of the last started Claude, until its end is reported. */
  get pid(): number | undefined {
    return this.#pid;
  }

  /** False before the bridge got a line, and after it has reported an end that is followed by no start. */
  get mayRun(): boolean {
    return this.#mayRun;
  }

  /** The bridge got a line, after which it may start Claude. */
  recordSent(): void {
    this.#mayRun = true;
  }

  record(message: OutboundMessage): void {
    if (message.type === "process_started") this.#pid = message.pid;
    if (message.type === "process_exit") {
      this.#pid = undefined;
      this.#mayRun = message.will_restart;
    }
    // The bridge ends after a fatal error. If a Claude runs, its end is reported too.
    if (message.type === "error" && !message.recoverable && this.#pid === undefined)
      this.#mayRun = false;
  }
}
