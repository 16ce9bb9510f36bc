/**
 * Who may come in: scripts with the token, browsers with a cookie, which they get for a one-time code.
 * Nothing here reads or writes a file.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** How long a code can be used. */
export const CODE_LIFE_MS = 10 * 60_000;

export type SignInOptions = {
  /** Kept across restarts. */
  readonly token: string;
  /** Signs codes; anew with each start, so that the codes of an earlier one are void. */
  readonly codeKey: string;
  readonly port: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

export class SignIn {
  readonly #options: SignInOptions;
  readonly #cookie: string;
  /** Used codes with their expiry. Only who has the key can add one. */
  readonly #used = new Map<string, number>();

  constructor(options: SignInOptions) {
    this.#options = options;
    // Not the token itself: a cookie that was seen elsewhere does not open the way for scripts.
    this.#cookie = createHmac("sha256", options.token).update("cookie").digest("base64url");
  }

  /** The value of `Set-Cookie` for a browser that has come with a code. */
  get setCookie(): string {
    return `${this.#cookieName}=${this.#cookie}; HttpOnly; SameSite=Strict; Path=/`;
  }

  /** Whether this `Authorization` has the token. */
  hasToken(authorization: string): boolean {
    const [, given] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    return given !== undefined && isEqual(given, this.#options.token);
  }

  /** Whether this `Cookie` is of a browser that is signed in. */
  hasCookie(cookies: string): boolean {
    const prefix = `${this.#cookieName}=`;
    const values = cookies.split(";").map((pair) => pair.trim());
    return values.some(
      (pair) => pair.startsWith(prefix) && isEqual(pair.slice(prefix.length), this.#cookie),
    );
  }

  /** True once for each valid code. */
  takeCode(code: string): boolean {
    const now = this.#options.now();
    for (const [used, expiry] of this.#used) if (expiry <= now) this.#used.delete(used);
    const expiry = expiryOf(code, this.#options.codeKey);
    if (expiry === undefined || expiry <= now || this.#used.has(code)) return false;
    this.#used.set(code, expiry);
    return true;
  }

  /** Browsers send cookies to every port, so each host has a name of its own. */
  get #cookieName(): string {
    return `tugtalk_${this.#options.port}`;
  }
}

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** A code that the host with this key accepts once, from now on for ten minutes. */
export function newCode(codeKey: string, now: number): string {
  const content = `${now + CODE_LIFE_MS}.${newSecret()}`;
  return `${content}.${signatureOf(content, codeKey)}`;
}

/** When a code expires; undefined if this key has not signed it. */
function expiryOf(code: string, codeKey: string): number | undefined {
  const [, content, expiry, signature] = /^((\d{1,15})\.[\w-]+)\.([\w-]+)$/.exec(code) ?? [];
  if (content === undefined || signature === undefined) return undefined;
  return isEqual(signature, signatureOf(content, codeKey)) ? Number(expiry) : undefined;
}

function signatureOf(content: string, codeKey: string): string {
  return createHmac("sha256", codeKey).update(content).digest("base64url");
}

/** In a time that tells nothing: digests have one length. */
function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other));
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
