/** The number of streams that clients have open. */

const KINDS = ["events", "websocket"] as const;

export type StreamKind = (typeof KINDS)[number];

export class OpenStreams {
  readonly #counts = new Map<StreamKind, number>(KINDS.map((kind) => [kind, 0]));

  /** Counts a stream until the returned function is called. Further calls do nothing. */
  add(kind: StreamKind): () => void {
    this.#change(kind, 1);
    let isOpen = true;
    return () => {
      if (isOpen) this.#change(kind, -1);
      isOpen = false;
    };
  }

  counts(): ReadonlyMap<StreamKind, number> {
    return this.#counts;
  }

  #change(kind: StreamKind, by: number): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + by);
  }
}
