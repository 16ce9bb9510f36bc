/** The events of many runs, counted from the messages of the hosts, so that no property passes untested. */
import { observedKey } from "../observer/observed.ts";
import { rowOf } from "../observer/observer-lines.ts";
import type { BridgeHarness } from "./bridge-harness.ts";

export class RunStatistics {
  readonly #counts = new Map<string, number>();
  readonly #silent = new Set<string>();
  #runs = 0;
  #mostTurns = 0;

  /** Adds one run. */
  add({ host, lineOutcomes, processes }: BridgeHarness): void {
    this.#runs += 1;
    const turns = host.received.filter(({ type }) => type === "turn_complete").length;
    this.#mostTurns = Math.max(this.#mostTurns, turns);
    if (turns >= 3) this.#count("a run of three turns");
    if (processes.length >= 3) this.#count("a run of three processes");
    for (const message of host.received) this.#count(observedKey(message));
    for (const one of lineOutcomes) if (!one.hasEmitted) this.#silent.add(rowOf(one) ?? "no row");
  }

  /** The events that never happened. */
  missing(...events: readonly string[]): string[] {
    return events.filter((event) => !this.#counts.has(event));
  }

  /** The rows of ignored kinds that occurred. */
  get silentRows(): readonly string[] {
    return [...this.#silent];
  }

  /** A summary for the log. */
  toString(): string {
    const rows = [...this.#counts].sort(([, one], [, other]) => other - one);
    // Some texts are random: escape and shorten them.
    const counts = rows.map(
      ([event, count]) => `${count} ${JSON.stringify(event).slice(1, -1).slice(0, 60)}`,
    );
    return `${this.#runs} runs, at most ${this.#mostTurns} turns in one: ${counts.join(", ")}`;
  }

  #count(event: string): void {
    this.#counts.set(event, (this.#counts.get(event) ?? 0) + 1);
  }
}
