/**
 * Claude's budget is that of its start. Where the limit is another one meanwhile, or Claude says that its
 * budget is spent, it is ended before the next turn and started anew; what it does now is not ended for that.
 */
import { isRunning } from "../../client/task-status.ts";
import type { OutboundMessage } from "../../src/types.ts";
import { hasOpenTurn, type SessionLog } from "./session-log.ts";

export type BudgetRenewalPorts = {
  readonly log: SessionLog;
  /** Whether a Claude runs that would take a message. */
  readonly isReady: () => boolean;
  /** Ends it. */
  readonly end: () => Promise<void>;
};

export class BudgetRenewal {
  readonly #ports: BudgetRenewalPorts;
  #limitAtStart: number | undefined;
  #isSpent = false;
  #ending: Promise<void> | undefined;

  constructor(ports: BudgetRenewalPorts) {
    this.#ports = ports;
  }

  /** Claude is started with the limit that the session has now. */
  recordStart(): void {
    this.#limitAtStart = this.#ports.log.row.limitUsd;
    this.#isSpent = false;
  }

  record(batch: readonly OutboundMessage[]): void {
    this.#isSpent ||= batch.some(isBudgetEnd);
  }

  /** Whether the Claude that runs must not be given the next turn. */
  get isDue(): boolean {
    const { log, isReady } = this.#ports;
    if (!isReady() || (!this.#isSpent && this.#limitAtStart === log.row.limitUsd)) return false;
    return !hasOpenTurn(log.state) && !log.state.backgroundTasks.some(isRunning);
  }

  get isUnderWay(): boolean {
    return this.#ending !== undefined;
  }

  /** Resolves when no Claude runs that is to be renewed. */
  async done(): Promise<void> {
    if (this.isDue)
      this.#ending ??= this.#ports.end().finally(() => {
        this.#ending = undefined;
      });
    await this.#ending;
  }
}

function isBudgetEnd(message: OutboundMessage): boolean {
  return message.type === "turn_complete" && message.subtype === "error_max_budget_usd";
}
