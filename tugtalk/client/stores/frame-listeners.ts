/** Who wants each frame, and not only the state that follows from them. */
import { apart } from "../apart.ts";
import type { HostFrame } from "../session-input.ts";
import type { Transport } from "../transports/transport.ts";
import type { StoreTransport } from "./shared-store.ts";

type Listener = {
  /** Or `*`. */
  readonly session: string;
  readonly call: (frame: HostFrame) => void;
};

export class FrameListeners {
  readonly #all = new Set<Listener>();

  /** Gives the way to stop. */
  add({ session, call }: Listener): () => void {
    const listener = { session, call: apart(call) };
    this.#all.add(listener);
    return () => {
      this.#all.delete(listener);
    };
  }

  /** The same way to the host, by which they get each frame too, after the subscriber. */
  beside(transport: Transport): StoreTransport {
    return {
      command: (...command) => transport.command(...command),
      subscribe: (session, options, onFrame) =>
        transport.subscribe(session, options, (frame) => {
          onFrame(frame);
          this.#tell(session, frame);
        }),
    };
  }

  #tell(session: string, frame: HostFrame): void {
    for (const listener of [...this.#all])
      if (listener.session === session && this.#all.has(listener)) listener.call(frame);
  }
}
