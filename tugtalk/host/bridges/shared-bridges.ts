/** The bridge processes that the sessions of one place share: as few as have room for all. */
import type { Tugtalk } from "../../spawn/running-tugtalk.ts";
import type { BridgeChannel } from "./bridge-channel.ts";
import { MAX_CHANNELS, SharedBridge } from "./shared-bridge.ts";

/** A process, and its starter's record of it. */
export type StartedBridge<Log> = { readonly child: Tugtalk; readonly log: Log };

type Running<Log> = { readonly bridge: SharedBridge; readonly log: Log };

export class SharedBridges<Log> {
  readonly #start: () => Promise<StartedBridge<Log>>;
  #running: readonly Running<Log>[] = [];
  #starting: Promise<Running<Log>> | undefined;

  /** `start` starts a bridge with `--multiplex`. */
  constructor(start: () => Promise<StartedBridge<Log>>) {
    this.#start = start;
  }

  /** A channel of the process with the fewest channels. Rejects as `start` does. */
  async open(): Promise<{ readonly channel: BridgeChannel; readonly log: Log }> {
    for (;;) {
      const { bridge, log } = this.#emptiest() ?? (await this.#startOne());
      // Many callers may have waited for this bridge. If it has ended meanwhile, its channel gives the
      // reason.
      if (hasRoom(bridge)) return { channel: bridge.open(), log };
    }
  }

  #emptiest(): Running<Log> | undefined {
    this.#running = this.#running.filter(({ bridge }) => !bridge.isEnding);
    return this.#running
      .filter(({ bridge }) => hasRoom(bridge))
      .toSorted((one, other) => one.bridge.size - other.bridge.size)[0];
  }

  /** Starts one bridge for all waiting callers. */
  #startOne(): Promise<Running<Log>> {
    this.#starting ??= this.#started().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #started(): Promise<Running<Log>> {
    const { child, log } = await this.#start();
    const running = { bridge: new SharedBridge(child), log };
    this.#running = [...this.#running, running];
    return running;
  }
}

function hasRoom({ size }: SharedBridge): boolean {
  return size < MAX_CHANNELS;
}
