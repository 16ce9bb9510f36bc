/**
 * The connection with a bridge on a place, which can be lost. Only a message of the bridge confirms
 * an end: the exit code of `ssh` and the like does not tell whether the bridge has ended, or the way
 * to it.
 */
import { randomUUID } from "node:crypto";
import type { Request } from "../../spawn/running-tugtalk.ts";
import { EndedError, RequestError } from "../../spawn/spawn-errors.ts";
import { OPTION_DEFAULTS } from "../../src/messages/option-defaults.ts";
import type { ProtocolInit } from "../../src/messages/protocol-init.ts";
import type { InboundMessage, OutboundMessage } from "../../src/types.ts";
import type { Bridge, BridgeEnd, BridgeLink, Place } from "./bridge.ts";
import { ClaudeStatus } from "./claude-status.ts";
import type { ConnectionRecord } from "./connection-record.ts";
import { filterMessages } from "./message-filter.ts";

/** For so long, or for its idle time where that is shorter, the bridge waits for its output to be read. */
const MAX_UNREAD_MS = 5_000;
/** Its further commands, beside the end. */
const END_MS = 2_000;
/** In which time a bridge that is asked to end must have done so. */
const CLOSE_LIMIT_MS = 8_000;
/** How often the bridge is asked for a sign of life in the time after which it would end by itself. */
const PINGS_PER_IDLE_TIME = 3;
/** After so many unanswered ones the connection counts as lost. */
const MAX_SILENT_PINGS = 2;

/** How long a Claude may go on whose bridge ends after this idle time, and gives it so much time to end. */
export function lingerMsAfter(idleMs: number, graceMs: number): number {
  // Claude is ended in at most two such steps.
  return idleMs + Math.min(MAX_UNREAD_MS, idleMs) + 2 * graceMs + END_MS;
}

/** The same for a Claude that is given the default time. */
export function bridgeEndMs(idleSeconds: number): number {
  return lingerMsAfter(idleSeconds * 1000, OPTION_DEFAULTS.shutdown_grace_ms);
}

/** How a bridge there is spoken with, and how that is given up. */
export type PlaceLink = {
  readonly link: BridgeLink;
  readonly record: ConnectionRecord;
  /** This session is without its bridge. Others that share the connection go on. */
  readonly giveUp: () => void;
  /** The connection is of no use to anybody. */
  readonly kill: () => void;
};

export class PlaceConnection implements Bridge {
  readonly messages: Bridge["messages"];
  readonly ended: Promise<BridgeEnd>;
  readonly #link: BridgeLink;
  readonly #place: Place;
  readonly #placeLink: PlaceLink;
  readonly #claude = new ClaudeStatus();
  /** The ids of our own requests whose answer is still to come. */
  readonly #pings = new Set<string>();
  #silentPings = 0;
  /** How many messages had come, in all sessions of the connection, at the last ping. */
  #heard = 0;
  #reason: string | undefined;

  constructor(placeLink: PlaceLink, place: Place) {
    this.#link = placeLink.link;
    this.#place = place;
    this.#placeLink = placeLink;
    const filtered = filterMessages(placeLink.link.messages, (message) => this.#take(message));
    this.messages = filtered.messages;
    this.ended = this.#end(filtered.read);
  }

  get pid(): number {
    return this.#link.pid;
  }

  lingerMs({ options }: ProtocolInit): number {
    return lingerMsAfter(
      this.#idleMs,
      options?.shutdown_grace_ms ?? OPTION_DEFAULTS.shutdown_grace_ms,
    );
  }

  send(message: InboundMessage): void {
    this.#claude.recordSent();
    this.#link.send(message);
  }

  request: BridgeLink["request"] = (message) => {
    this.#claude.recordSent();
    return this.#link.request(message);
  };

  close(): Promise<BridgeEnd> {
    void this.#link.close();
    const limit = setTimeout(() => this.#giveUp("it did not end in time"), CLOSE_LIMIT_MS);
    void this.#link.exited.then(() => clearTimeout(limit));
    return this.ended;
  }

  /** Resolves when the bridge has answered. Rejects if it cannot be reached. */
  async open(signal: AbortSignal): Promise<void> {
    const giveUp = Promise.withResolvers<never>();
    giveUp.promise.catch(() => {});
    const abort = () => giveUp.reject(new Error("it does not answer"));
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    try {
      // Before `protocol_init` only this is accepted, and starts nothing.
      const hello = { type: "session_list", dir: "/", limit: 1 } as const;
      await Promise.race([this.#ask(hello), giveUp.promise]);
      this.#watch();
    } catch (error) {
      this.#giveUp("it does not answer");
      throw error instanceof EndedError ? ((await this.#outputFault()) ?? error) : error;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** The fault in the output of a command that has ended, if it is no bridge's. */
  async #outputFault(): Promise<unknown> {
    try {
      for await (const _ of this.messages);
      return undefined;
    } catch (fault) {
      return fault;
    }
  }

  get #idleMs(): number {
    return this.#place.idleExitSeconds * 1000;
  }

  /** Tells the bridge that the host is there, and finds out whether the bridge is. */
  #watch(): void {
    const { record } = this.#placeLink;
    const timer = setInterval(() => {
      if (this.#heard !== record.heard) this.#silentPings = 0;
      this.#heard = record.heard;
      if (this.#silentPings >= MAX_SILENT_PINGS) this.#drop("nothing comes from it");
      this.#silentPings += 1;
      // Each request is answered, whatever the state.
      const unknown = { type: "cancel_message", message_id: randomUUID() } as const;
      void this.#ask(unknown).catch(() => {
        // `ended` reports the end of the connection.
      });
    }, this.#idleMs / PINGS_PER_IDLE_TIME);
    void this.#link.exited.then(() => clearInterval(timer));
  }

  /** Resolves when the bridge has answered, be it by a refusal. The session does not see the answer. */
  async #ask(message: Request): Promise<void> {
    const id = `ping-${randomUUID()}`;
    this.#pings.add(id);
    try {
      await this.#link.request({ ...message, id });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
    }
    // The session may not read what comes before the answer.
    this.#placeLink.record.heard += 1;
  }

  /** Whether a message is for the session. */
  #take(message: OutboundMessage): boolean {
    this.#placeLink.record.heard += 1;
    this.#claude.record(message);
    const { in_reply_to: id } = message;
    return id === undefined || !this.#pings.delete(id);
  }

  #giveUp(reason: string): void {
    this.#reason ??= reason;
    this.#placeLink.giveUp();
  }

  /** Asks nothing of the other side, which may not hear it. */
  #drop(reason: string): void {
    this.#placeLink.record.loss ??= reason;
    this.#placeLink.kill();
  }

  async #end(read: Promise<void>): Promise<BridgeEnd> {
    const { code, signal } = await this.#link.exited;
    await read;
    if (!this.#claude.mayRun) return { isConfirmed: true };
    const how = signal === null ? `its command ended with code ${code}` : `by ${signal}`;
    const { loss, last } = this.#placeLink.record;
    const why = this.#reason ?? loss ?? (last === "" ? how : last);
    const reason = `the connection with ${this.#place.name} was lost: ${why}`;
    return { isConfirmed: false, reason };
  }
}
