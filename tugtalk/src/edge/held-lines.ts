/** The order of the host's lines where one of them needs the files that those before it are writing. */
import type { InboundLine } from "./inbound-line.ts";

/** Held characters above which the host's input has to wait. */
const MAX_HELD_CHARS = 8 * 1024 * 1024;

export class HeldLines {
  readonly #take: (line: InboundLine) => void;
  /** Undefined if all is written. */
  readonly #written: () => Promise<void> | undefined;
  #lines: InboundLine[] = [];
  #chars = 0;
  #released: Promise<void> | undefined;

  constructor(take: (line: InboundLine) => void, written: () => Promise<void> | undefined) {
    this.#take = take;
    this.#written = written;
  }

  /** Whether a line waits. */
  get isHolding(): boolean {
    return this.#released !== undefined;
  }

  /** Resolves when further lines may come; undefined if they may. */
  get room(): Promise<void> | undefined {
    return this.#chars > MAX_HELD_CHARS ? this.#released : undefined;
  }

  /** Gives a line on at once, or in its order once the files are written. */
  receive(line: InboundLine): void {
    const written = this.#released ?? (mayResume(line) ? this.#written() : undefined);
    if (written === undefined) this.#take(line);
    else {
      this.#lines.push(line);
      this.#chars += JSON.stringify(line).length;
      this.#released ??= written.then(() => this.#release());
    }
  }

  /** Resolves when every line was given on. */
  async settled(): Promise<void> {
    while (this.#released !== undefined) await this.#released;
  }

  #release(): void {
    const lines = this.#lines;
    this.#lines = [];
    this.#chars = 0;
    this.#released = undefined;
    for (const line of lines) this.receive(line);
  }
}

/** Whether it may resume a conversation. */
function mayResume(line: InboundLine): boolean {
  if (!("message" in line)) return false;
  return line.message.type === "protocol_init" || line.message.type === "session_command";
}
