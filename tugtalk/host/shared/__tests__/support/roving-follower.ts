/** A client that follows one session at changing hosts, until it settles at one. */
import { setTimeout as delay } from "node:timers/promises";
import type { TestHost, TestHostSession } from "../../../../testing/drivers/host-process.ts";
import { JournalFollower, type Way } from "../../../../testing/drivers/journal-follower.ts";
import { type SharedWorld, TAKEOVER_MS } from "./shared-world.ts";

const CONNECT_MS = 8_000;
const RETRY_MS = 100;
/** The time at one host. */
const STAY_MS = 1_500;
/** The errors of the follower's journal that are the host's fault. */
const FAULT = /^(entry |resumed after|the host does not resume: .*"result":"gap")/;

export class RovingFollower {
  readonly #world: SharedWorld;
  readonly #session: TestHostSession;
  readonly #journal: JournalFollower;
  readonly #roving: Promise<void>;
  #at: number;
  #leave = () => {};
  #isSettled = false;
  #fault: unknown;

  constructor(world: SharedWorld, session: TestHostSession, way: Way, at: number) {
    this.#world = world;
    this.#session = session;
    this.#at = at;
    this.#journal = new JournalFollower(timely(way));
    this.#roving = this.#rove();
  }

  /** Throws the error of the host, if it has made one. */
  get journal(): JournalFollower {
    if (this.#fault !== undefined) throw this.#fault;
    return this.#journal;
  }

  /** Settles at a host that serves. A busy machine may let a lease end without any fault of ours. */
  async settle(): Promise<void> {
    this.#isSettled = true;
    this.#leave();
    await this.#roving;
    const end = performance.now() + TAKEOVER_MS;
    for (;;) {
      try {
        await this.journal.connect(this.#addressAt(this.#host));
        return;
      } catch (error) {
        if (isFault(error) || performance.now() > end) throw error;
        this.#at += 1;
        await delay(RETRY_MS);
      }
    }
  }

  end(): void {
    this.#isSettled = true;
    this.#leave();
    this.#journal.kill();
  }

  get #host(): TestHost {
    return this.#world.hostAt(this.#at);
  }

  #addressAt({ url, authorization }: TestHost) {
    return { url, authorization, id: this.#session.id };
  }

  async #rove(): Promise<void> {
    for (; !this.#isSettled; this.#at += 1) {
      try {
        await this.#stay(this.#host);
      } catch (error) {
        if (isFault(error)) {
          this.#fault = error;
          return;
        }
        await delay(RETRY_MS);
      }
    }
  }

  async #stay(host: TestHost): Promise<void> {
    const left = Promise.withResolvers<void>();
    const timer = setTimeout(left.resolve, STAY_MS);
    // A stopped host sends nothing, not even the end of a connection.
    const onMute = (mute: TestHost) => mute === host && left.resolve();
    this.#leave = left.resolve;
    this.#world.onMute.add(onMute);
    try {
      await this.#journal.connect(this.#addressAt(host));
      await Promise.race([this.#journal.hasLost(), left.promise]);
    } finally {
      clearTimeout(timer);
      this.#world.onMute.delete(onMute);
      this.#journal.kill();
    }
  }
}

function isFault(error: unknown): boolean {
  return FAULT.test(String(error instanceof Error ? error.message : error));
}

/** Limits the wait for a stopped host. */
function timely(way: Way): Way {
  return async (address, after) => {
    const connection = await within(CONNECT_MS, way(address, after));
    return { ...connection, next: (fits) => within(CONNECT_MS, connection.next(fits)) };
  };
}

/** The value of `work`. Rejects if it takes longer. */
export async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new Error(`nothing within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}
