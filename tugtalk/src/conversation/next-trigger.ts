/** What starts the next turn that Claude begins by itself, as far as notifications say (§15). */
import type { Notification } from "../messages/notifications.ts";
import type { TurnTrigger } from "../messages/turn-messages.ts";

export class NextTrigger {
  #trigger: TurnTrigger = "unknown";

  /** The end of a task starts a turn, unless a tool call awaits it. */
  record({ kind, message }: Notification, isAwaited: boolean): void {
    if (kind === "system/task_notification" && !isAwaited) this.#trigger = "task";
    if (kind === "command_lifecycle" && message["wakeup_source"] !== undefined)
      this.#trigger = "schedule";
  }

  /** The trigger of the turn that begins. */
  take(): TurnTrigger {
    const trigger = this.#trigger;
    this.#trigger = "unknown";
    return trigger;
  }
}
