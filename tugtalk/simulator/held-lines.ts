/**
 * Lines that came early: user messages that queue behind a turn, and lines that the conversation needs later.
 */
import { type Fields, isJsonObject } from "../src/base/json.ts";
import { textOf } from "./json-value.ts";

/** A queue whose lines are taken from any place. */
export class HeldLines {
  #lines: unknown[] = [];

  /** The lines in their order of arrival. */
  get all(): readonly unknown[] {
    return this.#lines;
  }

  /** The oldest user message. */
  get firstUser(): Fields | undefined {
    return this.#lines.filter(isJsonObject).find((line) => line["type"] === "user");
  }

  /** The uuids of queued user messages that have one. */
  get userUuids(): readonly string[] {
    return this.#lines.flatMap((line) => textOf(line, "uuid") ?? []);
  }

  /** Adds a line at the end. */
  add(line: unknown): void {
    this.#lines.push(line);
  }

  /** Takes out the line at this index of `all`. */
  takeAt(index: number): unknown {
    return this.#lines.splice(index, 1)[0];
  }

  /** Drops one line, if it is still held. */
  drop(line: unknown): void {
    this.#lines = this.#lines.filter((held) => held !== line);
  }

  /** Drops all user messages. */
  dropUsers(): void {
    this.#lines = this.#lines.filter((held) => textOf(held, "type") !== "user");
  }

  /** Drops the user message with this uuid. False: there was none. */
  dropUser(uuid: string | undefined): boolean {
    const found = this.#lines.find((held) => uuid !== undefined && textOf(held, "uuid") === uuid);
    if (found !== undefined) this.drop(found);
    return found !== undefined;
  }
}
