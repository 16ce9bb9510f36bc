/**
 * Wakes the hosts that share a database. A host that has written rings the names of the changed parts,
 * without content, and a host that hears them reads the tables. A ring may be late or lost: each host also
 * reads the tables by itself, less often.
 */
import type { SQL } from "bun";
import { postgresFailure } from "./connection.ts";
import { answered, MAX_ANSWER_MS, type Pool } from "./replaceable-pool.ts";

const CHANNEL = "tugtalk";
/** The most often that one host rings. */
const RINGS_PER_SECOND = 30;
const PAUSE_MS = 1_000 / RINGS_PER_SECOND;
/** A notification of PostgreSQL takes at most 8,000 bytes. */
const MAX_BYTES = 7_500;
const SEPARATOR = " ";

/** Does not wait until the server has the ring on its disk: a ring may be lost when the server fails. */
const NOTIFY = "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";

/** Rings once, at once. Programs that are no hosts use it, too. */
export async function notify(sql: SQL, text: string): Promise<void> {
  await sql.unsafe(NOTIFY, [CHANNEL, text]);
}

export type BellCounts = { readonly rung: number; readonly heard: number };

export class Bells {
  readonly #pool: Pool;
  readonly #onRing: (names: readonly string[]) => void;
  #names = new Set<string>();
  #timer: Timer | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;
  #rung = 0;
  #heard = 0;
  #listening: Promise<SQL.ListenSubscription> | undefined;
  /** The pool that has the listening connection. */
  #listened: SQL | undefined;
  readonly #limitMs: number;
  /** Runs from the first ring of this host that has not come back by the listening connection. */
  #deaf: Timer | undefined;

  /** `onRing` is called with the names that hosts have rung. This host is one of them. */
  constructor(pool: Pool, onRing: (names: readonly string[]) => void, limitMs = MAX_ANSWER_MS) {
    this.#pool = pool;
    this.#onRing = onRing;
    this.#limitMs = limitMs;
  }

  /** Listens, unless it listens already. A lost connection is made anew. */
  async listen(): Promise<void> {
    const { sql } = this.#pool;
    if (this.#listened === sql) return;
    this.#listened = sql;
    const listening = sql.listen(CHANNEL, (text) => {
      this.#heard += 1;
      this.#hears();
      this.#onRing(text.split(SEPARATOR));
    });
    this.#listening = listening;
    try {
      await answered(this.#pool, () => listening);
    } catch (error) {
      if (this.#listened === sql) this.#listened = undefined;
      throw postgresFailure(error);
    }
  }

  get counts(): BellCounts {
    return { rung: this.#rung, heard: this.#heard };
  }

  /** Rings soon. A name has no blank in it. */
  ring(name: string): void {
    this.#names.add(name);
    const wait = this.#lastAt + PAUSE_MS - performance.now();
    this.#timer ??= setTimeout(() => this.#send(), Math.max(0, wait));
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#hears();
    await (await this.#listening?.catch(() => undefined))?.unlisten();
  }

  #send(): void {
    this.#timer = undefined;
    this.#lastAt = performance.now();
    const names = [...this.#names];
    this.#names = new Set();
    for (const text of piecesOf(names)) {
      this.#rung += 1;
      answered(this.#pool, (sql) => notify(sql, text)).catch(() => {
        // The other hosts read the tables by themselves.
      });
    }
    const { sql } = this.#pool;
    if (this.#listened === sql) this.#deaf ??= setTimeout(() => this.#giveUp(sql), this.#limitMs);
  }

  #hears(): void {
    clearTimeout(this.#deaf);
    this.#deaf = undefined;
  }

  /**
   * Gives up the listening connection: no ring of this host has come back by it in time, so the server or the
   * network holds it.
   */
  #giveUp(sql: SQL): void {
    this.#deaf = undefined;
    this.#pool.giveUp?.(sql);
  }
}

/** The names in as few texts as possible, each short enough for a notification. */
function piecesOf(names: readonly string[]): readonly string[] {
  const pieces: string[] = [];
  for (const name of names) {
    const last = pieces.at(-1);
    const longer = last === undefined ? name : `${last}${SEPARATOR}${name}`;
    if (last !== undefined && Buffer.byteLength(longer) <= MAX_BYTES)
      pieces[pieces.length - 1] = longer;
    else pieces.push(name);
  }
  return pieces;
}
