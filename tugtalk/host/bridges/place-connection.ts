/**
 * The connection with a bridge on a place, which can be lost. Only a message of the bridge confirms an end:
 * the exit code of `ssh` and the like does not say whether the bridge or the connection has ended.
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

/** The bridge waits for a reader of its output for this time, or for its idle time if that is shorter. */
const MAX_UNREAD_MS = 5_000;
/** The time for its further steps, beside Claude's end. */
const END_MS = 2_000;
/** The time within which a bridge that is asked to end must have ended. */
const CLOSE_LIMIT_MS = 8_000;
/** How often in its idle time the bridge is asked for a sign of life. */
const PINGS_PER_IDLE_TIME = 3;
/** The number of unanswered requests after which the connection counts as lost. */
const MAX_SILENT_PINGS = 2;

/** How long a Claude may go on if its bridge has this idle time and gives Claude this time to end. */
export function lingerMsAfter(idleMs: number, graceMs: number): number {
  // Claude is ended in at most two steps of the grace time.
  return idleMs + Math.min(MAX_UNREAD_MS, idleMs) + 2 * graceMs + END_MS;
}

/** The same for a Claude with the default time to end. */
export function bridgeEndMs(idleSeconds: number): number {
  return lingerMsAfter(idleSeconds * 1000, OPTION_DEFAULTS.shutdown_grace_ms);
}

/** The link with a bridge there, and the ways to give it up. */
export type PlaceLink = {
  readonly link: BridgeLink;
  readonly record: ConnectionRecord;
  /** Gives up this session's bridge. Other sessions on the connection go on. */
  readonly giveUp: () => void;
  /** Kills the connection, which is of no use to any session. */
  readonly kill: () => void;
};

export class PlaceConnection implements Bridge {
  readonly messages: Bridge["messages"];
  readonly ended: Promise<BridgeEnd>;
  readonly #link: BridgeLink;
  readonly #place: Place;
  readonly #placeLink: PlaceLink;
  readonly #claude = new ClaudeStatus();
  /** The ids of our own requests without an answer. */
  readonly #pings = new Set<string>();
  #silentPings = 0;
  /** The number of messages, in all sessions of the connection, at the last ping. */
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
      // The only message before `protocol_init` that the bridge accepts without starting Claude.
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

  /** The fault in the output of an ended command that was no bridge. */
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

  /** Sends the bridge signs of life of the host, and finds out whether the bridge lives. */
  #watch(): void {
    const { record } = this.#placeLink;
    const timer = setInterval(() => {
      if (this.#heard !== record.heard) this.#silentPings = 0;
      this.#heard = record.heard;
      if (this.#silentPings >= MAX_SILENT_PINGS) this.#drop("nothing comes from it");
      this.#silentPings += 1;
      // The bridge answers this request in any state.
      const unknown = { type: "cancel_message", message_id: randomUUID() } as const;
      void this.#ask(unknown).catch(() => {
        // `ended` reports the end of the connection.
      });
    }, this.#idleMs / PINGS_PER_IDLE_TIME);
    void this.#link.exited.then(() => clearInterval(timer));
  }

  /** Resolves when the bridge has answered, even with a refusal. The session does not see the answer. */
  async #ask(message: Request): Promise<void> {
    const id = `ping-${randomUUID()}`;
    this.#pings.add(id);
    try {
      await this.#link.request({ ...message, id });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
    }
    // Counted here, since the session may not read the messages before the answer.
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

  /** Drops the connection without a message to the other side, which may not get any. */
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
