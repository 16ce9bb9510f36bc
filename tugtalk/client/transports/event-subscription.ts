/** One subscription over HTTP: a stream of server-sent events, and the next one where that ends. */
import type { HostFrame } from "../session-input.ts";
import { EventStream, type StreamEvent } from "./event-stream.ts";
import { headersOf, refusalOf } from "./http-request.ts";
import { PING_MS, retryDelayMs, SilenceTimer } from "./reconnection.ts";
import type { Subscription } from "./subscriptions.ts";
import { ALL_SESSIONS, type CommandError, type HostAddress } from "./transport.ts";

export type EventPorts = {
  readonly address: HostAddress;
  /** `isConnected` has changed. */
  readonly onStatus: () => void;
  /** The host has refused it for good, or its session is deleted. */
  readonly onOver: () => void;
};

export class EventSubscription {
  readonly #subscription: Subscription;
  readonly #ports: EventPorts;
  readonly #closing = new AbortController();
  #isConnected = false;
  #failures = 0;

  constructor(subscription: Subscription, ports: EventPorts) {
    this.#subscription = subscription;
    this.#ports = ports;
    void this.#run();
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  close(): void {
    this.#closing.abort();
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const refusal = await this.#readOnce();
      if (this.#closing.signal.aborted) return;
      if (this.#subscription.isOver) return this.#ports.onOver();
      this.#setConnected(false);
      if (refusal !== undefined && isFinal(refusal)) {
        this.#subscription.refuse(refusal);
        return this.#ports.onOver();
      }
      await delay(retryDelayMs(this.#failures, Math.random()), this.#closing.signal);
      this.#failures += 1;
    }
  }

  /** Until the stream ends, however it does. Gives the refusal of the host, if it was one. */
  async #readOnce(): Promise<CommandError | undefined> {
    const attempt = new AbortController();
    const silence = new SilenceTimer(this.#ports.address.pingMs ?? PING_MS, () => attempt.abort());
    try {
      const signal = AbortSignal.any([attempt.signal, this.#closing.signal]);
      const response = await fetch(this.#url(), {
        headers: headersOf(this.#ports.address),
        signal,
      });
      if (!response.ok) return await refusalOf(response);
      await this.#read(response, silence);
    } catch {
      // The connection was lost, silent or closed: the next attempt shows whether the host is there.
    } finally {
      silence.stop();
      attempt.abort();
    }
    return undefined;
  }

  async #read({ body }: Response, silence: SilenceTimer): Promise<void> {
    this.#setConnected(true);
    const events = new EventStream();
    const decoder = new TextDecoder();
    // Not every browser iterates over a stream.
    const reader = body?.getReader();
    for (;;) {
      const { value } = (await reader?.read()) ?? {};
      if (value === undefined) return;
      silence.reset();
      this.#failures = 0;
      for (const event of events.feed(decoder.decode(value, { stream: true })))
        this.#deliver(frameOf(this.#subscription.session, event));
    }
  }

  /** In a step of its own, so that an error of the caller does not end the stream. */
  #deliver(frame: HostFrame): void {
    queueMicrotask(() => this.#subscription.deliver(frame));
  }

  #url(): URL {
    const { session, after } = this.#subscription;
    const { url } = this.#ports.address;
    if (session === ALL_SESSIONS) return new URL("/api/events", url);
    const events = new URL(`/api/sessions/${encodeURIComponent(session)}/events`, url);
    if (after !== undefined)
      events.searchParams.set("after", after === 0 ? "0" : `${after.epoch}.${after.seq}`);
    return events;
  }

  #setConnected(isConnected: boolean): void {
    if (this.#isConnected === isConnected) return;
    this.#isConnected = isConnected;
    this.#ports.onStatus();
  }
}

/** To ask again would not help. */
function isFinal({ status }: CommandError): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function frameOf(session: string, { id, event, data }: StreamEvent): HostFrame {
  const frame = { s: session, t: event, d: JSON.parse(data) as unknown };
  const [, epoch, seq] = /^(\d+)\.(\d+)$/.exec(id ?? "") ?? [];
  return epoch === undefined ? frame : { ...frame, e: Number(epoch), q: Number(seq) };
}

/** Ends early if it is aborted. */
function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
