/** What will be known about a turn that Claude starts next, from what it says in passing (§15). */
import type { Notification } from "../messages/notifications.ts";
import type { TurnTrigger } from "../messages/turn-messages.ts";

export class NextTrigger {
  #trigger: TurnTrigger = "unknown";

  /** Learns from a line of news. The end of a task in the foreground wakes nobody. */
  note({ kind, message }: Notification, isForeground: boolean): void {
    if (kind === "system/task_notification" && !isForeground) this.#trigger = "task";
    if (kind === "command_lifecycle" && message["wakeup_source"] !== undefined) {
      this.#trigger = "schedule";
    }
  }

  /** What is known; a turn begins with it, so the next one is unknown again. */
  take(): TurnTrigger {
    const trigger = this.#trigger;
    this.#trigger = "unknown";
    return trigger;
  }
}
