/** The frames of a subscriber, and a way to wait for more. */
import type { HostFrame } from "../../../session-input.ts";

export class SeenFrames {
  readonly frames: HostFrame[] = [];
  #onFrame = () => {};

  /** For `subscribe`. */
  readonly take = (frame: HostFrame): void => {
    this.frames.push(frame);
    this.#onFrame();
  };

  get types(): readonly string[] {
    return this.frames.map(({ t }) => t);
  }

  /** The numbers of the entries. */
  get seqs(): readonly number[] {
    return this.frames.flatMap(({ q }) => (q === undefined ? [] : [q]));
  }

  async until(isDone: (seen: SeenFrames) => boolean): Promise<void> {
    while (!isDone(this)) {
      await new Promise<void>((resolve) => {
        this.#onFrame = resolve;
      });
    }
  }
}

/** Waits for a change that causes no event. */
export async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setImmediate(resolve));
}
