/** Server-sent events, from text that comes in pieces. */

export type StreamEvent = {
  readonly id?: string;
  readonly event: string;
  readonly data: string;
};

/** Give it every piece of the stream in order. Comments are left out. */
export class EventStream {
  /** The beginning of a line, in the pieces it came in. */
  #line: string[] = [];
  #fields = new Map<string, string>();

  /** The events that this piece completes. */
  feed(piece: string): StreamEvent[] {
    const [first = "", ...others] = piece.split("\n");
    this.#line.push(first);
    const events: StreamEvent[] = [];
    for (const next of others) {
      const event = this.#take(this.#line.join("").replace(/\r$/, ""));
      if (event !== undefined) events.push(event);
      this.#line = [next];
    }
    return events;
  }

  /** An empty line ends an event. */
  #take(line: string): StreamEvent | undefined {
    if (line === "") return this.#finish();
    const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    const earlier = name === "data" ? this.#fields.get(name) : undefined;
    this.#fields.set(name, earlier === undefined ? value : `${earlier}\n${value}`);
    return undefined;
  }

  #finish(): StreamEvent | undefined {
    const fields = this.#fields;
    this.#fields = new Map();
    const data = fields.get("data");
    if (data === undefined) return undefined;
    const id = fields.get("id");
    return { event: fields.get("event") ?? "message", data, ...(id !== undefined && { id }) };
  }
}
