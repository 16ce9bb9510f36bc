/** One WebSocket for all sessions, for pages that their host serves. `openWebSocketTransport` is for everybody. */
import type { Fields } from "../claude-value.ts";
import type { CommandAnswers } from "../command-answers.ts";
import type { CommandArguments } from "../command-arguments.ts";
import type { HostCommand } from "../host-routes.ts";
import type { HostFrame } from "../session-input.ts";
import { SNAPSHOT_PART } from "../snapshot-parts.ts";
import { retryDelayMs } from "./reconnection.ts";
import { type OpenSocket, SocketConnection } from "./socket-connection.ts";
import { answerBody, refusalOf } from "./socket-messages.ts";
import { StatusListeners } from "./status-listeners.ts";
import { SESSION_DELETED, Subscription, Subscriptions } from "./subscriptions.ts";
import {
  ALL_SESSIONS,
  closedError,
  disconnectedError,
  type HostAddress,
  type SubscribeOptions,
  type Transport,
  type TransportStatus,
} from "./transport.ts";

/** The status of a refusal that is over by itself. */
const UNAVAILABLE = 503;
const AGAIN_MS = 1_000;

export class SocketTransport implements Transport {
  readonly #address: HostAddress;
  readonly #openSocket: OpenSocket;
  readonly #status = new StatusListeners("connecting");
  readonly #subscriptions = new Subscriptions();
  /**
   * The subscriptions that the host has confirmed. Frames before that belong to the replaced subscription.
   */
  readonly #confirmed = new WeakSet<Subscription>();
  #connection: SocketConnection | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  constructor(address: HostAddress, openSocket: OpenSocket = (url) => new WebSocket(url)) {
    this.#address = address;
    this.#openSocket = openSocket;
    this.#connection = this.#connect();
  }

  get status(): TransportStatus {
    return this.#status.status;
  }

  onStatus(listener: (status: TransportStatus) => void): () => void {
    return this.#status.add(listener);
  }

  command<Name extends HostCommand>(
    name: Name,
    ...fields: CommandArguments<Name>
  ): Promise<CommandAnswers[Name]>;
  command(name: HostCommand, { id: s, ...fields }: Fields = {}): Promise<Fields> {
    if (this.#isClosed) return Promise.reject(closedError());
    // Somebody waits: the next attempt is made at once.
    this.#connection ??= this.#connect();
    const connection = this.#connection;
    return new Promise((resolve, reject) => {
      connection.request({ ...fields, s, cmd: name }, (answer) => {
        if (answer === undefined) reject(this.#isClosed ? closedError() : disconnectedError());
        else if (answer.ok) resolve(answerBody(answer));
        else reject(refusalOf(answer));
      });
    });
  }

  subscribe(
    session: string,
    options: SubscribeOptions,
    onFrame: (frame: HostFrame) => void,
  ): () => void {
    const subscription = new Subscription(session, options, onFrame);
    if (this.#isClosed) return () => {};
    this.#subscriptions.add(subscription);
    if (this.#connection !== undefined) this.#begin(subscription, this.#connection);
    return () => {
      if (this.#subscriptions.remove(subscription))
        this.#connection?.request({ cmd: "unsubscribe", s: session }, () => {});
    };
  }

  close(): void {
    this.#status.set("closed");
    for (const subscription of this.#subscriptions.all()) this.#subscriptions.remove(subscription);
    clearTimeout(this.#retry);
    this.#connection?.close();
  }

  get #isClosed(): boolean {
    return this.status === "closed";
  }

  #connect(): SocketConnection {
    clearTimeout(this.#retry);
    const listener = {
      onOpen: () => this.#status.set("connected"),
      onFrame: (frame: HostFrame) => this.#deliver(frame),
      onEnd: () => this.#onEnd(),
    };
    const connection = new SocketConnection(this.#address, listener, this.#openSocket);
    const { clientName: name } = this.#address;
    if (name !== undefined) connection.request({ cmd: "hello", name }, () => {});
    for (const subscription of this.#subscriptions.all()) this.#begin(subscription, connection);
    return connection;
  }

  #begin(subscription: Subscription, connection: SocketConnection): void {
    const { session: s, after } = subscription;
    connection.request({ cmd: "subscribe", s, after }, (answer) => {
      if (answer === undefined) return;
      this.#failures = 0;
      if (answer.ok) this.#confirmed.add(subscription);
      else if (answer["status"] === UNAVAILABLE) this.#beginLater(subscription, connection);
      else this.#refuse(subscription, refusalOf(answer));
    });
  }

  /**
   * Subscribes again later: the host cannot serve the session now, for example while its database is away.
   */
  #beginLater(subscription: Subscription, connection: SocketConnection): void {
    setTimeout(() => {
      const isWanted = this.#subscriptions.get(subscription.session) === subscription;
      if (isWanted && this.#connection === connection) this.#begin(subscription, connection);
    }, AGAIN_MS);
  }

  #refuse(subscription: Subscription, error: ReturnType<typeof refusalOf>): void {
    subscription.refuse(error);
    this.#subscriptions.remove(subscription);
  }

  #deliver(frame: HostFrame): void {
    this.#failures = 0;
    const subscription = subscriptionFor(frame, (session) => this.#find(session));
    if (subscription === undefined) return;
    subscription.deliver(frame);
    if (subscription.isOver) this.#subscriptions.remove(subscription);
  }

  #find(session: string): Subscription | undefined {
    const subscription = this.#subscriptions.get(session);
    return subscription && this.#confirmed.has(subscription) ? subscription : undefined;
  }

  #onEnd(): void {
    this.#connection = undefined;
    if (this.#isClosed) return;
    this.#status.set("connecting");
    const delayMs = retryDelayMs(this.#failures, Math.random());
    this.#failures += 1;
    this.#retry = setTimeout(() => {
      this.#connection = this.#connect();
    }, delayMs);
  }
}

const BEGINNINGS: ReadonlySet<string> = new Set(["resume", "snapshot", SNAPSHOT_PART]);

/**
 * A frame without a place in a journal is of the subscription to all sessions, unless it belongs to
 * how a subscription begins. Both get the deletion of a session.
 */
function subscriptionFor(
  { s = "", q, t }: HostFrame,
  find: (session: string) => Subscription | undefined,
): Subscription | undefined {
  if (q !== undefined || BEGINNINGS.has(t)) return find(s);
  return (t === SESSION_DELETED ? find(s) : undefined) ?? find(ALL_SESSIONS);
}
