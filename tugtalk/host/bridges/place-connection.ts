/**
 * The connection with a bridge on a place, which can be lost. Only what the bridge has told confirms an
 * end: the exit code of `ssh` and the like does not tell whether the bridge has ended, or the way to it.
 */
import { randomUUID } from "node:crypto";
import {
  EndedError,
  type InboundMessage,
  type Request,
  RequestError,
  type Tugtalk,
} from "../../spawn/spawn.ts";
import type { ProtocolInit } from "../../src/messages/protocol-init.ts";
import type { OutboundMessage } from "../../src/types.ts";
import type { Bridge, BridgeEnd, Place } from "./bridge.ts";
import { ClaudeLife } from "./claude-life.ts";
import { PassedMessages } from "./passed-messages.ts";

/** The default of `shutdown_grace_ms`: Claude is ended in at most two such steps. */
const GRACE_MS = 2_000;
/** For so long, or for its idle time where that is shorter, the bridge waits for its output to be read. */
const MAX_UNREAD_MS = 5_000;
/** What it takes besides to end. */
const END_MS = 2_000;
/** In which time a bridge that is asked to end must have done so. */
const CLOSE_LIMIT_MS = 8_000;
/** How often the bridge is asked for a sign of life in the time after which it would end by itself. */
const PINGS_PER_IDLE_TIME = 3;
/** After so many unanswered ones the connection counts as lost. */
const MAX_SILENT_PINGS = 2;

/** How much of its stderr explains why a connection failed, in characters. */
const MAX_SAID_CHARS = 300;

/** The stderr of a connection: shown as it comes, its beginning and its last line kept. */
export class ErrorLog {
  readonly #name: string;
  #beginning = "";
  #last = "";

  constructor(name: string) {
    this.#name = name;
  }

  get beginning(): string {
    return this.#beginning.slice(0, MAX_SAID_CHARS);
  }

  get last(): string {
    return this.#last;
  }

  add(line: string): void {
    if (this.#beginning.length < MAX_SAID_CHARS)
      this.#beginning += this.#beginning === "" ? line : `; ${line}`;
    this.#last = line;
    process.stderr.write(`${this.#name}: ${line}\n`);
  }
}

export class PlaceConnection implements Bridge {
  readonly messages: PassedMessages;
  readonly ended: Promise<BridgeEnd>;
  readonly #child: Tugtalk;
  readonly #place: Place;
  readonly #log: ErrorLog;
  readonly #life = new ClaudeLife();
  /** The ids of our own requests whose answer is still to come. */
  readonly #pings = new Set<string>();
  #silentPings = 0;
  #reason: string | undefined;

  constructor(child: Tugtalk, place: Place, log: ErrorLog) {
    this.#child = child;
    this.#place = place;
    this.#log = log;
    this.messages = new PassedMessages(child.messages, (message) => this.#take(message));
    this.ended = this.#end();
  }

  get pid(): number {
    return this.#child.pid;
  }

  lingerMs({ options }: ProtocolInit): number {
    const claudeMs = 2 * (options?.shutdown_grace_ms ?? GRACE_MS);
    return this.#idleMs + Math.min(MAX_UNREAD_MS, this.#idleMs) + claudeMs + END_MS;
  }

  send(message: InboundMessage): void {
    this.#life.noteSent();
    this.#child.send(message);
  }

  request: Tugtalk["request"] = (message) => {
    this.#life.noteSent();
    return this.#child.request(message);
  };

  close(): Promise<BridgeEnd> {
    void this.#child.close();
    const limit = setTimeout(() => this.#drop("it did not end in time"), CLOSE_LIMIT_MS);
    void this.#child.exited.then(() => clearTimeout(limit));
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
      this.#drop("it does not answer");
      throw error instanceof EndedError ? ((await this.#outputFault()) ?? error) : error;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** What is wrong with the output of a command that has ended, if it is no bridge's. */
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
    const timer = setInterval(() => {
      if (this.#silentPings >= MAX_SILENT_PINGS) this.#drop("nothing comes from it");
      this.#silentPings += 1;
      // Each request is answered, whatever the state.
      const unknown = { type: "cancel_message", message_id: randomUUID() } as const;
      void this.#ask(unknown).catch(() => {
        // The end of the connection is told by `ended`.
      });
    }, this.#idleMs / PINGS_PER_IDLE_TIME);
    void this.#child.exited.then(() => clearInterval(timer));
  }

  /** Resolves when the bridge has answered, be it by a refusal. The session does not see the answer. */
  async #ask(message: Request): Promise<void> {
    const id = `ping-${randomUUID()}`;
    this.#pings.add(id);
    try {
      await this.#child.request({ ...message, id });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
    }
    this.#silentPings = 0;
  }

  /** Whether a message is for the session. */
  #take(message: OutboundMessage): boolean {
    this.#silentPings = 0;
    this.#life.note(message);
    const { in_reply_to: id } = message;
    return id === undefined || !this.#pings.delete(id);
  }

  /** Asks nothing of the other side, which may not hear it. */
  #drop(reason: string): void {
    this.#reason ??= reason;
    this.#child.kill("SIGKILL");
  }

  async #end(): Promise<BridgeEnd> {
    const { code, signal } = await this.#child.exited;
    await this.messages.read;
    if (!this.#life.mayRun) return { isConfirmed: true };
    const how = signal === null ? `its command ended with code ${code}` : `by ${signal}`;
    const said = this.#log.last === "" ? how : this.#log.last;
    const reason = `the connection with ${this.#place.name} was lost: ${this.#reason ?? said}`;
    return { isConfirmed: false, reason };
  }
}
