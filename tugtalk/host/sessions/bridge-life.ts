/** The bridge of one session from its start to its end, and the messages of each tick as one batch. */
import type { ProtocolInit } from "../../src/messages/protocol-init.ts";
import type { OutboundMessage } from "../../src/types.ts";
import { ApiError } from "../api/api-error.ts";
import type { Bridge, BridgeEnd } from "../bridges/bridge.ts";
import { bridgeRefusal, startFailure } from "./bridge-refusal.ts";
import { CLOSING } from "./old-bridge.ts";

export type BridgeLifePorts = {
  /** Starts a bridge once the one before is gone. Rejects with an `ApiError`, also when it is aborted. */
  readonly startBridge: (signal: AbortSignal) => Promise<Bridge>;
  /** A bridge runs; it has not been sent anything. */
  readonly onStart: (bridge: Bridge) => void;
  /** The messages of one tick, in order. */
  readonly onBatch: (messages: readonly OutboundMessage[]) => void;
  /** After the last batch. `failure`: Claude could not be started. */
  readonly onEnd: (end: BridgeEnd, failure: ApiError | undefined) => void;
};

type Running = {
  readonly bridge: Bridge;
  /** Claude has started, or cannot be. */
  readonly started: PromiseWithResolvers<void>;
  /** Claude takes messages, or has ended before it did. */
  readonly ready: PromiseWithResolvers<void>;
  /** The last batch was given, and the end told. */
  readonly over: PromiseWithResolvers<void>;
  batch: OutboundMessage[];
  failure?: ApiError;
};

export class BridgeLife {
  readonly #ports: BridgeLifePorts;
  #running: Running | undefined;
  #starting: Promise<void> | undefined;
  #closing = new AbortController();
  #isClosing = false;
  #isFinal = false;

  constructor(ports: BridgeLifePorts) {
    this.#ports = ports;
  }

  /** The bridge, from its start to its end. */
  get bridge(): Bridge | undefined {
    return this.#running?.bridge;
  }

  get isStarting(): boolean {
    return this.#starting !== undefined;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** A bridge that takes messages, and has said that Claude runs. */
  get isReady(): boolean {
    return this.#running !== undefined && this.#starting === undefined && !this.#isClosing;
  }

  /** Resolves when Claude has started; the same promise for all who want it. Rejects with an `ApiError`. */
  start(init: () => ProtocolInit): Promise<void> {
    if (this.#isClosing) return Promise.reject(CLOSING);
    if (this.isReady) return Promise.resolve();
    this.#starting ??= this.#start(init).finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Resolves when Claude takes messages, also where no bridge runs. Rejects with an `ApiError` if it cannot be started. */
  async ready(): Promise<void> {
    await this.#running?.ready.promise;
  }

  /** Gives what has arrived of this tick, at once. */
  flush(): void {
    if (this.#running !== undefined) this.#flush(this.#running);
  }

  /** Ends the bridge, and Claude with it. Resolves after `onEnd`. A final end is not followed by a start. */
  async close({ isFinal }: { readonly isFinal: boolean }): Promise<void> {
    this.#isFinal ||= isFinal;
    this.#isClosing = true;
    this.#closing.abort();
    // It may be at any point of its start, which closing ends.
    if (this.#running === undefined) await this.#starting?.catch(() => {});
    const running = this.#running;
    if (running !== undefined) {
      void running.bridge.close();
      await running.over.promise;
    }
    this.#closing = new AbortController();
    this.#isClosing = this.#isFinal;
  }

  /** Whatever the bridge says from now on is lost. */
  abandon(): void {
    this.#running = undefined;
  }

  async #start(init: () => ProtocolInit): Promise<void> {
    const { signal } = this.#closing;
    const bridge = await this.#ports.startBridge(signal);
    const running: Running = {
      bridge,
      started: Promise.withResolvers<void>(),
      ready: Promise.withResolvers<void>(),
      over: Promise.withResolvers<void>(),
      batch: [],
    };
    this.#running = running;
    // Whoever waits is told below; the reader may find the failure first.
    running.started.promise.catch(() => {});
    running.ready.promise.catch(() => {});
    this.#ports.onStart(bridge);
    void this.#read(running);
    if (this.#isClosing) void bridge.close();
    try {
      await bridge.request(init());
      await running.started.promise;
    } catch (error) {
      void bridge.close();
      await running.over.promise;
      if (signal.aborted) throw CLOSING;
      // The fatal `error` says more than that the bridge has ended.
      throw running.failure ?? bridgeRefusal(error);
    }
  }

  async #read(running: Running): Promise<void> {
    const { bridge } = running;
    try {
      for await (const message of bridge.messages) this.#take(running, message);
    } catch {
      // Its output is not made of messages: it is ended, which is told as any other end.
    }
    const end = await bridge.ended;
    const ended = new ApiError(503, "start_failed", "the bridge has ended at its start");
    running.ready.reject(ended);
    if (running !== this.#running) return;
    this.#flush(running);
    running.started.reject(ended);
    this.#running = undefined;
    this.#ports.onEnd(end, running.failure);
    running.over.resolve();
  }

  #take(running: Running, message: OutboundMessage): void {
    if (running.batch.push(message) === 1) setImmediate(() => this.#flush(running));
    if (message.type === "process_started") running.started.resolve();
    if (message.type === "session_state" && message.state === "idle") running.ready.resolve();
    const failure = startFailure(message);
    if (failure === undefined) return;
    running.failure = failure;
    running.started.reject(failure);
    running.ready.reject(failure);
  }

  #flush(running: Running): void {
    const { batch } = running;
    if (batch.length === 0 || running !== this.#running) return;
    running.batch = [];
    this.#ports.onBatch(batch);
  }
}
