/**
 * Who may come in: scripts with the token, browsers with a cookie, which they get for a one-time code.
 * Nothing here reads or writes a file.
 */
import { createHmac } from "node:crypto";
import type { Door } from "./door.ts";
import { proofKeyOf, proofOf } from "./host-proof.ts";
import { isEqual, newSecret } from "./secret.ts";
import type { Site } from "./sites.ts";

/** How long a code can be used. */
export const CODE_LIFE_MS = 10 * 60_000;

export class SignIn {
  readonly #door: Door;
  readonly #port: number;

  constructor(door: Door, port: number) {
    this.#door = door;
    this.#port = port;
  }

  /** The value of `Set-Cookie` for a browser that has come with a code; undefined where none counts. */
  setCookie(site: Site): string | undefined {
    const cookie = this.#cookieOf(site);
    if (cookie === undefined) return undefined;
    const secure = site.origin.startsWith("https:") ? "; Secure" : "";
    return `${cookie}; HttpOnly; SameSite=Strict; Path=/${secure}`;
  }

  /** Whether this `Authorization` has the token. */
  hasToken(authorization: string): boolean {
    const [, given] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    return given !== undefined && isEqual(given, this.#door.keys.token);
  }

  /** Whether this `Cookie` is of a browser that is signed in at this site. */
  hasCookie(cookies: string, site: Site): boolean {
    const cookie = this.#cookieOf(site);
    if (cookie === undefined) return false;
    const prefix = `${site.cookieName}=`;
    const pairs = cookies.split(";").map((pair) => pair.trim());
    return pairs.some((pair) => pair.startsWith(prefix) && isEqual(pair, cookie));
  }

  /** The proof, to a client with the token, that this host has it, too; undefined for a bad nonce. */
  proofOf(nonce: string, site: Site): string | undefined {
    return proofOf(this.proofKeyOf(site), nonce);
  }

  /** With it the page of a site checks the proofs that it is given there. */
  proofKeyOf({ origin }: Site): string {
    const { isShared, keys } = this.#door;
    const isAnyHost = isShared && origin.startsWith("https:");
    return proofKeyOf({ token: keys.token, address: isAnyHost ? origin : this.#port });
  }

  /** True once for each valid code. May reject with a `JournalError`. */
  async takeCode(code: string): Promise<boolean> {
    const expiry = expiryOf(code, this.#door.keys.codeKey);
    return expiry !== undefined && (await this.#door.useCode(code, expiry));
  }

  /**
   * Not the token itself: a cookie that was seen elsewhere does not open the way for scripts. And of
   * this site alone: one that another program has got by another name or port opens nothing here.
   */
  #cookieOf({ origin, cookieName }: Site): string | undefined {
    if (cookieName === undefined) return undefined;
    const hmac = createHmac("sha256", this.#door.keys.token).update(`cookie ${origin}`);
    return `${cookieName}=${hmac.digest("base64url")}`;
  }
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
