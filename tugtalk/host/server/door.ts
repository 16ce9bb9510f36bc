/** The keys of a host's door, and who keeps them: the data folder of one host, or a database that many share. */
import { newSecret } from "./secret.ts";

export type Keys = {
  /** Of scripts; cookies and proofs are made with it. Kept across restarts. */
  readonly token: string;
  /** Signs codes. */
  readonly codeKey: string;
};

export interface Door {
  readonly keys: Keys;
  /** By how much its clock, which codes expire by, is ahead of the clock of this process. */
  readonly aheadMs: number;
  /** Many hosts have it, so that a browser at one public address may come to any of them. */
  readonly isShared: boolean;
  /** True once for each code, before its expiry. May reject with a `JournalError`. */
  useCode(code: string, expiry: number): Promise<boolean>;
  /** Takes other keys: every token, cookie and link is void. May reject with a `JournalError`. */
  renew(): Promise<void>;
  /** `onRenewed` is called when there are other keys, whoever has taken them. */
  listen(onRenewed: () => void): void;
}

export type OwnDoorOptions = {
  readonly token: string;
  /** Anew with each start, so that the codes of an earlier one are void. */
  readonly codeKey: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

/** That of a host alone. */
export class OwnDoor implements Door {
  readonly aheadMs = 0;
  readonly isShared = false;
  readonly #now: () => number;
  #keys: Keys;
  #onRenewed = () => {};
  /** Used codes with their expiry. Only who has the key can add one. */
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
