/** The record of a connection with a place, for the sessions that share it. */
import { showHidden } from "../../client/views/visible-text.ts";
import { logLine } from "../api/host-log.ts";

/** How much of its stderr explains why a connection failed, in characters. */
const MAX_SAID_CHARS = 300;

export class ConnectionRecord {
  /** The reason why the host has given the connection up. */
  loss: string | undefined;
  /** The number of received messages. */
  heard = 0;
  readonly #name: string;
  #beginning = "";
  #last = "";

  constructor(name: string) {
    this.#name = name;
  }

  /** The beginning of its stderr. */
  get beginning(): string {
    return this.#beginning.slice(0, MAX_SAID_CHARS);
  }

  /** The last line of its stderr. */
  get last(): string {
    return this.#last;
  }

  /** Records a line of its stderr, and shows it at once. */
  add(text: string): void {
    const line = showHidden(text);
    if (this.#beginning.length < MAX_SAID_CHARS)
      this.#beginning += this.#beginning === "" ? line : `; ${line}`;
    this.#last = line;
    logLine(`${this.#name}: ${line}`);
  }
}
