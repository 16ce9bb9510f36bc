/**
 * The sign-in: scripts have the token, browsers a cookie, which they get for a one-time code. Nothing here
 * reads or writes a file.
 */
import { createHmac } from "node:crypto";
import type { Door } from "./door.ts";
import { proofKeyOf, proofOf } from "./host-proof.ts";
import { isEqual, newSecret } from "./secret.ts";
import type { Site } from "./sites.ts";

/** For how long a code can be used. */
export const CODE_LIFE_MS = 10 * 60_000;

export class SignIn {
  readonly #door: Door;
  readonly #port: number;

  constructor(door: Door, port: number) {
    this.#door = door;
    this.#port = port;
  }

  /**
   * The value of `Set-Cookie` for a browser that has used a code; undefined if browsers cannot sign in at
   * this site.
   */
  setCookie(site: Site): string | undefined {
    const cookie = this.#cookieOf(site);
    if (cookie === undefined) return undefined;
    const secure = site.origin.startsWith("https:") ? "; Secure" : "";
    return `${cookie}; HttpOnly; SameSite=Strict; Path=/${secure}`;
  }

  /** Whether this `Authorization` header has the token. */
  hasToken(authorization: string): boolean {
    const [, given] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    return given !== undefined && isEqual(given, this.#door.keys.token);
  }

  /** Whether this `Cookie` header shows that the browser is signed in at this site. */
  hasCookie(cookies: string, site: Site): boolean {
    const cookie = this.#cookieOf(site);
    if (cookie === undefined) return false;
    const prefix = `${site.cookieName}=`;
    const pairs = cookies.split(";").map((pair) => pair.trim());
    return pairs.some((pair) => pair.startsWith(prefix) && isEqual(pair, cookie));
  }

  /** The proof, to a client with the token, that this host has it, too; undefined for an invalid nonce. */
  proofOf(nonce: string, site: Site): string | undefined {
    return proofOf(this.proofKeyOf(site), nonce);
  }

  /** The key with which the page of a site checks proofs. */
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
   * The cookie is not the token itself: a leaked cookie does not open the way for scripts. It is of this site
   * alone: a cookie that another program has got by another name or port opens nothing here.
   */
  #cookieOf({ origin, cookieName }: Site): string | undefined {
    if (cookieName === undefined) return undefined;
    const hmac = createHmac("sha256", this.#door.keys.token).update(`cookie ${origin}`);
    return `${cookieName}=${hmac.digest("base64url")}`;
  }
}

/** A code that the host with this key accepts once, within the next ten minutes. */
export function newCode(codeKey: string, now: number): string {
  const content = `${now + CODE_LIFE_MS}.${newSecret()}`;
  return `${content}.${signatureOf(content, codeKey)}`;
}

/** The expiry of a code; undefined if this key has not signed it. */
function expiryOf(code: string, codeKey: string): number | undefined {
  const [, content, expiry, signature] = /^((\d{1,15})\.[\w-]+)\.([\w-]+)$/.exec(code) ?? [];
  if (content === undefined || signature === undefined) return undefined;
  return isEqual(signature, signatureOf(content, codeKey)) ? Number(expiry) : undefined;
}

function signatureOf(content: string, codeKey: string): string {
  return createHmac("sha256", codeKey).update(content).digest("base64url");
}
