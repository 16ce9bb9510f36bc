/**
 * The connection to the bridge of one session, from its start to its end. The messages of each tick come as
 * one batch.
 */
import type { AnswerTo, Request } from "../../spawn/running-tugtalk.ts";
import { presentUptime } from "../../src/base/uptime.ts";
import type { InboundMessage, OutboundMessage } from "../../src/types.ts";
import { ApiError } from "../api/api-error.ts";
import type { Bridge, BridgeStarter } from "../bridges/bridge.ts";
import { messageChars } from "../bridges/message-chars.ts";
import type { SessionRow } from "../journal/journal.ts";
import { bridgeRefusal, refusalOf, startFailure } from "./bridge-refusal.ts";
import { CLOSING } from "./old-bridge.ts";
import type { BridgeInput } from "./session-input.ts";
import { destination, protocolInit } from "./session-start.ts";
import { Uncommitted } from "./uncommitted.ts";

export type BridgeConnectionPorts = {
  readonly startBridge: BridgeStarter;
  /**
   * Resolves when nobody else can be writing the conversation: no other session, no lost bridge, and no
   * bridge of a killed host. Rejects with an `ApiError`.
   */
  readonly conversationFree: (row: SessionRow, signal: AbortSignal) => Promise<void>;
  readonly row: () => SessionRow;
  /** Resolves when the effects of the input are in the journal. */
  readonly push: (input: BridgeInput) => Promise<void>;
  /** Nobody waits for this input; `done` is called when its effects are in the journal. */
  readonly tell: (input: BridgeInput, done?: () => void) => void;
};

type Running = {
  readonly bridge: Bridge;
  /** Claude takes messages, or has ended before. */
  readonly ready: PromiseWithResolvers<void>;
  batch: OutboundMessage[];
  batchChars: number;
  readonly uncommitted: Uncommitted;
};

export class BridgeConnection {
  readonly #ports: BridgeConnectionPorts;
  #running: Running | undefined;
  #opening: AbortController | undefined;

  constructor(ports: BridgeConnectionPorts) {
    this.#ports = ports;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Whether this session has the conversation: a bridge runs, or is being started. */
  get isOpen(): boolean {
    return this.isRunning || this.#opening !== undefined;
  }

  /** Starts a bridge, and reports its start, its messages and its end. */
  start(): void {
    const opening = new AbortController();
    this.#opening = opening;
    void this.#start(opening.signal).finally(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
  }

  /** Sends the first message, which lets the bridge start Claude. */
  init(): void {
    const running = this.#running;
    running?.bridge.request(protocolInit(this.#ports.row())).catch((error: unknown) => {
      if (running === this.#running)
        this.#ports.tell({ kind: "init_refused", error: refusalOf(error) });
    });
  }

  send(message: InboundMessage): void {
    this.#running?.bridge.send(message);
  }

  /** Rejects with an `ApiError`, for instance if no bridge runs. */
  async request<Sent extends Request>(message: Sent): Promise<AnswerTo<Sent>> {
    const running = this.#running;
    if (running === undefined) throw new ApiError(409, "not_running", "Claude does not run");
    try {
      return await running.bridge.request(message);
    } catch (error) {
      // Messages that came before the refusal are applied first.
      this.#flush(running);
      throw bridgeRefusal(error);
    }
  }

  /**
   * Resolves when Claude takes messages, or if no bridge runs. Rejects with an `ApiError` if Claude cannot be
   * started.
   */
  async ready(): Promise<void> {
    await this.#running?.ready.promise;
  }

  /** Ends the bridge, and Claude with it, at any point of its start. */
  close(): void {
    this.#opening?.abort();
    void this.#running?.bridge.close();
  }

  /** From now on all messages of the bridge are dropped. */
  abandon(): void {
    const running = this.#running;
    this.#running = undefined;
    // Lets the reader drain the bridge to its end.
    running?.uncommitted.giveRoom();
  }

  async #start(signal: AbortSignal): Promise<void> {
    const { startBridge, conversationFree, row, push, tell } = this.#ports;
    try {
      await conversationFree(row(), signal);
      await push({ kind: "bridge_starting" });
      const bridge = await startBridge(destination(row()).place, signal);
      const running: Running = {
        bridge,
        ready: Promise.withResolvers<void>(),
        batch: [],
        batchChars: 0,
        uncommitted: new Uncommitted(),
      };
      this.#running = running;
      // The waiters get the failure below, although the reader may find it first.
      running.ready.promise.catch(() => {});
      const lingerMs = bridge.lingerMs(protocolInit(row()));
      await push({ kind: "bridge_started", pid: bridge.pid, lingerMs, upAt: presentUptime() });
      void this.#read(running);
    } catch (error) {
      void this.#running?.bridge.close();
      this.#running = undefined;
      tell({ kind: "start_failed", error: signal.aborted ? CLOSING : refusalOf(error) });
    }
  }

  async #read(running: Running): Promise<void> {
    const { bridge, uncommitted } = running;
    try {
      for await (const message of bridge.messages) {
        this.#receive(running, message);
        while (uncommitted.isFull && running === this.#running) await uncommitted.room();
      }
    } catch {
      // The output is no messages: the bridge is ended, and its end is reported as usual.
    }
    const end = await bridge.ended;
    running.ready.reject(new ApiError(503, "start_failed", "the bridge has ended at its start"));
    if (running !== this.#running) return;
    this.#flush(running);
    this.#running = undefined;
    this.#ports.tell({ kind: "bridge_ended", end });
  }

  #receive(running: Running, message: OutboundMessage): void {
    if (running.batch.push(message) === 1) setImmediate(() => this.#flush(running));
    const chars = messageChars(message);
    running.batchChars += chars;
    running.uncommitted.add({ messages: 1, chars });
    if (message.type === "session_state" && message.state === "idle") running.ready.resolve();
    const failure = startFailure(message);
    if (failure !== undefined) running.ready.reject(failure);
  }

  #flush(running: Running): void {
    const { batch, batchChars: chars, uncommitted } = running;
    if (batch.length === 0 || running !== this.#running) return;
    running.batch = [];
    running.batchChars = 0;
    const messages = batch.length;
    this.#ports.tell({ kind: "batch", messages: batch }, () =>
      uncommitted.remove({ messages, chars }),
    );
  }
}
