/** Guarantee 9: the copy of a conversation has no gap, names each turn once and after its end, and comes before the exit. */
import { describe, type Message } from "./observed.ts";

export function transcriptFaults(messages: readonly Message[]): string[] {
  const copies = new Copies();
  for (const message of messages) copies.record(message);
  return copies.faults;
}

class Copies {
  readonly faults: string[] = [];
  readonly #ends = new Map<unknown, number>();
  readonly #endedTurns = new Set<unknown>();
  readonly #namedTurns = new Set<unknown>();
  #hasProcess = false;

  record(message: Message): void {
    switch (message.type) {
      case "process_started":
        this.#hasProcess = true;
        break;
      case "process_exit":
        this.#hasProcess = false;
        break;
      case "turn_complete":
      case "turn_cancelled":
        this.#endedTurns.add(message["turn_id"]);
        break;
      case "transcript_failed":
        if (message["reason"] === "changed") this.#ends.set(message["file"], 0);
        break;
      case "transcript_lines":
        this.#recordLines(message);
    }
  }

  #recordLines(message: Message): void {
    const { file, offset, lines, through_turn_id: turn } = message;
    const isNote = String(file).endsWith(".meta.json");
    const end = isNote ? 0 : (this.#ends.get(file) ?? 0);
    const texts = Array.isArray(lines) ? lines.map(String) : [];
    if (offset !== end) this.#fault(message, `is at ${offset}, and the copy ends at ${end}`);
    if (texts.some((line) => line.includes("\n"))) this.#fault(message, "has more than a line");
    if (!this.#hasProcess) this.#fault(message, "comes after process_exit");
    const bytes = texts.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    this.#ends.set(file, end + bytes);
    if (turn === undefined) {
      if (texts.length === 0) this.#fault(message, "tells nothing");
      return;
    }
    if (!this.#endedTurns.has(turn)) this.#fault(message, "is through a turn that has not ended");
    if (this.#namedTurns.has(turn)) this.#fault(message, "is through a turn for a second time");
    this.#namedTurns.add(turn);
  }

  #fault(message: Message, what: string): void {
    this.faults.push(`${describe(message)} ${what}`);
  }
}
