/** A host in the same process: no connection that can be lost. */
import { type Fields, isFields } from "../claude-value.ts";
import type { HostCommand } from "../host-routes.ts";
import type { HostFrame } from "../session-input.ts";
import { StatusListeners } from "./status-listeners.ts";
import { Subscription, Subscriptions } from "./subscriptions.ts";
import {
  CommandError,
  closedError,
  type SubscribeOptions,
  type Transport,
  type TransportStatus,
} from "./transport.ts";

/** What a host gives to clients in its process. */
export type DirectHost = {
  /** Gives the answer to a refused command, too. Never rejects. */
  runCommand(
    name: HostCommand,
    fields: Fields,
    caller: { readonly name?: string },
  ): Promise<{ readonly status: number; readonly body: Fields }>;
  /** Throws an error with `status` and `body` if it is refused. Frames may come before it returns. */
  subscribe(
    session: string,
    after: SubscribeOptions["after"],
    listener: DirectListener,
  ): () => void;
};

export type DirectListener = {
  readonly onFrame: (frame: HostFrame) => void;
  /** No more frames come, and the subscription is to be made anew, after the last one. */
  readonly onCutOff: () => void;
};

export function openDirectTransport(
  host: DirectHost,
  { clientName }: { readonly clientName?: string | undefined } = {},
): Transport {
  return new DirectTransport(host, clientName === undefined ? {} : { name: clientName });
}

class DirectTransport implements Transport {
  readonly #host: DirectHost;
  readonly #caller: { readonly name?: string };
  readonly #subscriptions = new Subscriptions();
  /** The ways to end them. */
  readonly #ends = new Map<Subscription, () => void>();
  /** The ways to reject the commands that are under way. */
  readonly #unanswered = new Set<(error: CommandError) => void>();
  readonly #status = new StatusListeners("connected");

  constructor(host: DirectHost, caller: { readonly name?: string }) {
    this.#host = host;
    this.#caller = caller;
  }

  get status(): TransportStatus {
    return this.#status.status;
  }

  onStatus(listener: (status: TransportStatus) => void): () => void {
    return this.#status.add(listener);
  }

  async command(name: HostCommand, fields: Fields = {}): Promise<Fields> {
    if (this.#isClosed) throw closedError();
    const answered = this.#host.runCommand(name, fields, this.#caller);
    const { status, body } = await this.#unlessClosed(answered);
    if (status >= 400) throw new CommandError(status, body);
    return body;
  }

  subscribe(
    session: string,
    options: SubscribeOptions,
    onFrame: (frame: HostFrame) => void,
  ): () => void {
    const subscription = new Subscription(session, options, onFrame);
    if (this.#isClosed) return () => {};
    this.#endOf(this.#subscriptions.get(session));
    this.#subscriptions.add(subscription);
    queueMicrotask(() => this.#begin(subscription));
    return () => this.#remove(subscription);
  }

  close(): void {
    this.#status.set("closed");
    for (const reject of this.#unanswered) reject(closedError());
    for (const subscription of this.#subscriptions.all()) this.#remove(subscription);
  }

  get #isClosed(): boolean {
    return this.status === "closed";
  }

  #unlessClosed<Answer>(answered: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#unanswered.add(reject);
      answered.then(resolve, reject).finally(() => this.#unanswered.delete(reject));
    });
  }

  #begin(subscription: Subscription): void {
    if (subscription.isOver) return;
    const { session, after } = subscription;
    try {
      const end = this.#host.subscribe(session, after, {
        // In a step of its own: an error of the caller must not reach the host.
        onFrame: (frame) => queueMicrotask(() => this.#deliver(subscription, frame)),
        onCutOff: () => queueMicrotask(() => this.#begin(subscription)),
      });
      this.#ends.set(subscription, end);
    } catch (error) {
      subscription.refuse(refusalIn(error));
      this.#subscriptions.remove(subscription);
    }
  }

  #deliver(subscription: Subscription, frame: HostFrame): void {
    subscription.deliver(frame);
    if (subscription.isOver) this.#remove(subscription);
  }

  #remove(subscription: Subscription): void {
    this.#subscriptions.remove(subscription);
    this.#endOf(subscription);
  }

  #endOf(subscription: Subscription | undefined): void {
    if (subscription === undefined) return;
    this.#ends.get(subscription)?.();
    this.#ends.delete(subscription);
  }
}

/** Throws what is no refusal. */
function refusalIn(error: unknown): CommandError {
  if (isFields(error) && typeof error["status"] === "number" && isFields(error["body"]))
    return new CommandError(error["status"], error["body"]);
  throw error;
}
