/**
 * A client that follows one session of the reference host over any number of connections: each begins
 * after the last entry that the client has. Throws when the host does not resume it there, and when an
 * entry is missing or comes twice.
 */
import type { Cursor } from "../../client/host-api.ts";
import { initialSession, reduceSession } from "../../client/reduce-session.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import { EventReader, type Fields, type SentEvent, SocketClient } from "./host-clients.ts";

/** One entry of the journal. */
export type Entry = {
  readonly e: number;
  readonly q: number;
  readonly t: string;
  readonly d: Fields;
};

/** An entry, or a message that is in no journal. */
type Arrived = { readonly cursor?: Cursor; readonly type: string; readonly data: Fields };

type Connection = {
  readonly next: (fits: (arrived: Arrived) => boolean) => Promise<Arrived>;
  readonly arrived: () => readonly Arrived[];
  readonly ended: Promise<unknown>;
  readonly close: () => void;
  readonly kill: () => void;
};

/** Where a session is found. */
export type SessionAddress = {
  readonly url: string;
  readonly authorization: Readonly<Record<string, string>>;
  readonly id: string;
};

/** How a connection is opened after a cursor. */
export type Way = (address: SessionAddress, after: Cursor | undefined) => Promise<Connection>;

export class JournalFollower {
  readonly #way: Way;
  readonly #entries: Entry[] = [];
  #connection: Connection | undefined;
  /** How many of the arrived messages are among the entries. */
  #taken = 0;

  constructor(way: Way) {
    this.#way = way;
  }

  /** Everything so far. */
  get entries(): readonly Entry[] {
    this.#take();
    return this.#entries;
  }

  get cursor(): Cursor {
    const { e = 0, q = 0 } = this.entries.at(-1) ?? {};
    return { epoch: e, seq: q };
  }

  /** The state that the entries come to. */
  get state(): ReducedSession {
    return this.entries.reduce<ReducedSession>(reduceSession, initialSession);
  }

  /** Connects for the first time, or again after the last entry. */
  async connect(address: SessionAddress): Promise<void> {
    const after = this.entries.length === 0 ? undefined : this.cursor;
    // A reader meanwhile must not take the messages of the last connection twice.
    this.#connection = undefined;
    this.#taken = 0;
    this.#connection = await this.#way(address, after);
    const verdict = await this.#connection.next(() => true);
    if (verdict.type !== "resume" || verdict.data["result"] !== "ok")
      throw new Error(`the host does not resume: ${JSON.stringify(verdict).slice(0, 300)}`);
    if (after !== undefined && !Bun.deepEquals(verdict.data["from"], after))
      throw new Error(`resumed after ${JSON.stringify(verdict.data["from"])}, not ${this.#where}`);
  }

  /** The next entry that fits, of this connection. */
  async next(fits: string | ((entry: Entry) => boolean)): Promise<Entry> {
    if (this.#connection === undefined) throw new Error("it has not connected");
    const isWanted = typeof fits === "string" ? ({ t }: Entry) => t === fits : fits;
    const found = await this.#connection.next((arrived) => {
      const entry = entryOf(arrived);
      return entry !== undefined && isWanted(entry);
    });
    return entryOf(found) as Entry;
  }

  /** Resolves when it has every entry up to this one. */
  async reaches(seq: number): Promise<void> {
    if (this.cursor.seq < seq) await this.next(({ q }) => q >= seq);
  }

  /** Resolves when the connection has ended by itself; all that had arrived is kept. */
  async hasLost(): Promise<void> {
    await this.#connection?.ended;
    this.#take();
  }

  close(): void {
    this.#connection?.close();
    this.#take();
  }

  /** Its connection breaks off without a word. */
  kill(): void {
    this.#connection?.kill();
    this.#take();
  }

  get #where(): string {
    return JSON.stringify(this.cursor);
  }

  #take(): void {
    const arrived = this.#connection?.arrived() ?? [];
    for (; this.#taken < arrived.length; this.#taken += 1) {
      const entry = entryOf(arrived[this.#taken]);
      if (entry !== undefined) this.#add(entry);
    }
  }

  #add(entry: Entry): void {
    const last = this.#entries.at(-1);
    if (entry.q !== (last?.q ?? 0) + 1 || (last !== undefined && entry.e !== last.e))
      throw new Error(`entry ${entry.e}.${entry.q} comes after ${last?.e}.${last?.q}`);
    this.#entries.push(entry);
  }
}

function entryOf(arrived: Arrived | undefined): Entry | undefined {
  if (arrived?.cursor === undefined) return undefined;
  const { cursor, type, data } = arrived;
  return { e: cursor.epoch, q: cursor.seq, t: type, d: data };
}

/** By the WebSocket. */
export const bySocket: Way = async ({ url, authorization, id }, after) => {
  const socket = await SocketClient.open(`${url}/ws`, authorization);
  await socket.run("subscribe", { s: id, after: after ?? 0 });
  const read = ({ e, q, t = "", d = {} }: (typeof socket.frames)[number]): Arrived =>
    e === undefined || q === undefined
      ? { type: t, data: d }
      : { type: t, data: d, cursor: { epoch: e, seq: q } };
  return {
    next: async (fits) => read(await socket.next((frame) => fits(read(frame)))),
    arrived: () => socket.frames.map(read),
    ended: socket.ended,
    close: () => socket.close(),
    kill: () => socket.kill(),
  };
};

/** By server-sent events. */
export const byEvents: Way = async ({ url, authorization, id }, after) => {
  const from = after === undefined ? "0" : `${after.epoch}.${after.seq}`;
  const path = `${url}/api/sessions/${id}/events?after=${from}`;
  const reader = await EventReader.open(path, authorization);
  return {
    next: async (fits) => readEvent(await reader.next((event) => fits(readEvent(event)))),
    arrived: () => reader.events.map(readEvent),
    ended: reader.ended,
    close: () => reader.close(),
    kill: () => reader.close(),
  };
};

function readEvent({ id, type, data }: SentEvent): Arrived {
  if (id === undefined) return { type, data };
  const [epoch, seq] = id.split(".").map(Number);
  return { type, data, cursor: { epoch: epoch ?? Number.NaN, seq: seq ?? Number.NaN } };
}
