/**
 * Commands as requests, and each subscription as a stream of server-sent events, by `fetch` alone.
 * Unlike `EventSource` it can send a token, reports why it was refused, and gets the host's signs of
 * life. Works in browsers, Bun and Node. A browser allows six connections with one host, so for many
 * sessions a WebSocket is the better way.
 */
import { apart } from "../apart.ts";
import type { Fields } from "../claude-value.ts";
import type { CommandAnswers } from "../command-answers.ts";
import type { CommandArguments } from "../command-arguments.ts";
import type { HostCommand } from "../host-routes.ts";
import type { HostFrame } from "../session-input.ts";
import { EventSubscription } from "./event-subscription.ts";
import { bodyOf, fetchCommand, refusalOf, textOf } from "./http-request.ts";
import { StatusListeners } from "./status-listeners.ts";
import { Subscription, Subscriptions } from "./subscriptions.ts";
import {
  CommandError,
  closedError,
  disconnectedError,
  type HostAddress,
  type SubscribeOptions,
  type Transport,
  type TransportStatus,
} from "./transport.ts";

export function openHttpTransport(address: HostAddress): Transport {
  return new HttpTransport(address);
}

class HttpTransport implements Transport {
  readonly #address: HostAddress;
  readonly #status = new StatusListeners("connected");
  readonly #subscriptions = new Subscriptions();
  readonly #streams = new Map<Subscription, EventSubscription>();
  /** Ends the commands that are under way. */
  readonly #abort = new AbortController();

  constructor(address: HostAddress) {
    this.#address = address;
  }

  get status(): TransportStatus {
    return this.#status.status;
  }

  onStatus(listener: (status: TransportStatus) => void): () => void {
    return this.#status.add(apart(listener));
  }

  command<Name extends HostCommand>(
    name: Name,
    ...fields: CommandArguments<Name>
  ): Promise<CommandAnswers[Name]>;
  async command(name: HostCommand, fields: Fields = {}): Promise<Fields> {
    try {
      const response = await fetchCommand(this.#address, name, fields, this.#abort.signal);
      if (!response.ok) throw await refusalOf(response);
      return await (name === "export" ? textOf(response) : bodyOf(response));
    } catch (error) {
      if (error instanceof CommandError) throw error;
      throw this.#abort.signal.aborted ? closedError() : disconnectedError();
    }
  }

  subscribe(
    session: string,
    options: SubscribeOptions,
    onFrame: (frame: HostFrame) => void,
  ): () => void {
    const subscription = new Subscription(session, options, onFrame);
    if (this.#isClosed) return () => {};
    const replaced = this.#subscriptions.get(session);
    if (replaced !== undefined) this.#end(replaced);
    this.#subscriptions.add(subscription);
    this.#streams.set(subscription, this.#open(subscription));
    this.#tellStatus();
    return () => this.#end(subscription);
  }

  close(): void {
    this.#status.set("closed");
    for (const subscription of this.#subscriptions.all()) this.#end(subscription);
    this.#abort.abort();
  }

  get #isClosed(): boolean {
    return this.status === "closed";
  }

  #open(subscription: Subscription): EventSubscription {
    return new EventSubscription(subscription, {
      address: this.#address,
      onStatus: () => this.#tellStatus(),
      onOver: () => this.#end(subscription),
    });
  }

  #end(subscription: Subscription): void {
    this.#subscriptions.remove(subscription);
    this.#streams.get(subscription)?.close();
    this.#streams.delete(subscription);
    this.#tellStatus();
  }

  #tellStatus(): void {
    const isConnected = [...this.#streams.values()].every((stream) => stream.isConnected);
    this.#status.set(isConnected ? "connected" : "connecting");
  }
}
