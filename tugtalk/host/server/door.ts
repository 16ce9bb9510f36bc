/**
 * The keys of a host's door, and the door of one host alone. The data folder of that host keeps the keys, or
 * a database that many hosts share.
 */
import { newSecret } from "./secret.ts";

export type Keys = {
  /** The token of scripts; cookies and proofs derive from it. Kept across restarts. */
  readonly token: string;
  /** The key that signs codes. */
  readonly codeKey: string;
};

export interface Door {
  readonly keys: Keys;
  /** By how much the clock for the expiry of codes is ahead of this process's clock. */
  readonly aheadMs: number;
  /** Many hosts have this door, so a browser at one public address may reach any of them. */
  readonly isShared: boolean;
  /** True once for each code, before its expiry. May reject with a `JournalError`. */
  useCode(code: string, expiry: number): Promise<boolean>;
  /** Takes new keys, which voids every token, cookie and link. May reject with a `JournalError`. */
  renew(): Promise<void>;
  /** `onRenewed` is called when there are new keys, from whichever host. */
  listen(onRenewed: () => void): void;
}

export type OwnDoorOptions = {
  readonly token: string;
  /** New at each start, so that the codes of an earlier one are void. */
  readonly codeKey: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

/** The door of one host alone. */
export class OwnDoor implements Door {
  readonly aheadMs = 0;
  readonly isShared = false;
  readonly #now: () => number;
  #keys: Keys;
  #onRenewed = () => {};
  /** Used codes with their expiry. Only a holder of the key can add one. */
  readonly #used = new Map<string, number>();

  constructor({ now, ...keys }: OwnDoorOptions) {
    this.#now = now;
    this.#keys = keys;
  }

  get keys(): Keys {
    return this.#keys;
  }

  async useCode(code: string, expiry: number): Promise<boolean> {
    const now = this.#now();
    for (const [used, end] of this.#used) if (end <= now) this.#used.delete(used);
    if (expiry <= now || this.#used.has(code)) return false;
    this.#used.set(code, expiry);
    return true;
  }

  async renew(): Promise<void> {
    this.#keys = newKeys();
    this.#onRenewed();
  }

  listen(onRenewed: () => void): void {
    this.#onRenewed = onRenewed;
  }
}

export function newKeys(): Keys {
  return { token: newSecret(), codeKey: newSecret() };
}
