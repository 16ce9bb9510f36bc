/**
 * A bridge on a place: the same messages through a connection that can be lost. What has told the end of
 * its Claude is a confirmed end; all else is a lost connection.
 */
import { randomUUID } from "node:crypto";
import {
  EndedError,
  type InboundMessage,
  RequestError,
  spawnTugtalk,
  type Tugtalk,
} from "../../spawn/spawn.ts";
import { ApiError } from "../api/api-error.ts";
import type { Bridge, BridgeEnd, Place } from "./bridge.ts";
import { ClaudeLife } from "./claude-life.ts";
import { PassedMessages } from "./passed-messages.ts";

/** How long a bridge there takes to end, after it has noticed that its host is gone. */
const END_MS = 10_000;

/** Resolves once the bridge there has answered. Nothing else was sent to it then. */
export async function startPlaceBridge(place: Place): Promise<Bridge> {
  const log = new ErrorLog(place.name);
  // Constant words only: ssh hands its words to a shell.
  const command = [...place.command, "tugtalk", `--idle-exit=${place.idleExitSeconds}`];
  const child = await spawnTugtalk({ command, stderr: (line) => log.add(line) }).catch(
    (cause: Error) => {
      throw unreachable(place, cause.message);
    },
  );
  const connection = new Connection(child, place, log);
  await connection.open();
  return connection;
}

function unreachable({ name }: Place, reason: string): ApiError {
  return new ApiError(503, "place_unreachable", `cannot reach ${name}: ${reason}`);
}

/** The stderr of a connection: shown as it comes, and its end kept for an error. */
class ErrorLog {
  readonly #name: string;
  #last = "";

  constructor(name: string) {
    this.#name = name;
  }

  get last(): string {
    return this.#last;
  }

  add(line: string): void {
    this.#last = line;
    process.stderr.write(`${this.#name}: ${line}\n`);
  }
}

class Connection implements Bridge {
  readonly lingerMs: number;
  readonly messages: PassedMessages;
  readonly ended: Promise<BridgeEnd>;
  readonly request: Tugtalk["request"];
  readonly #child: Tugtalk;
  readonly #place: Place;
  readonly #log: ErrorLog;
  readonly #life = new ClaudeLife();
  /** The ids of our own requests whose answer is still to come. */
  readonly #pings = new Set<string>();

  constructor(child: Tugtalk, place: Place, log: ErrorLog) {
    this.#child = child;
    this.#place = place;
    this.#log = log;
    this.lingerMs = place.idleExitSeconds * 1000 + END_MS;
    this.messages = new PassedMessages(child.messages, (message) => {
      this.#life.note(message);
      const { in_reply_to: id } = message;
      return id === undefined || !this.#pings.delete(id);
    });
    this.request = (message) => {
      this.#life.noteSent();
      return child.request(message);
    };
    this.ended = this.#end();
  }

  get pid(): number {
    return this.#child.pid;
  }

  send(message: InboundMessage): void {
    this.#life.noteSent();
    this.#child.send(message);
  }

  close(): Promise<BridgeEnd> {
    void this.#child.close();
    return this.ended;
  }

  /** Rejects if the bridge there cannot be reached. */
  async open(): Promise<void> {
    try {
      await this.#ping();
    } catch (error) {
      const said = this.#log.last;
      const reason = error instanceof EndedError ? said || "the connection was closed" : `${error}`;
      throw unreachable(this.#place, reason);
    }
  }

  /** Resolves when the bridge has answered: every request is, at any time, at least by a refusal. */
  async #ping(): Promise<void> {
    const id = `ping-${randomUUID()}`;
    this.#pings.add(id);
    const unknown = randomUUID();
    try {
      await this.#child.request({ type: "cancel_message", id, message_id: unknown });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
    }
  }

  async #end(): Promise<BridgeEnd> {
    const { code, signal } = await this.#child.exited;
    await this.messages.read;
    const isConfirmed = !this.#life.mayRun;
    if (isConfirmed) return { isConfirmed };
    const how = signal === null ? `with code ${code}` : `by ${signal}`;
    const said = this.#log.last === "" ? "" : `: ${this.#log.last}`;
    return {
      isConfirmed,
      reason: `the connection with ${this.#place.name} ended ${how}${said}`,
    };
  }
}
