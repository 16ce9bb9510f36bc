/**
 * The first check of every request, upgrades included: before its URL is parsed and any route is known.
 * Headers that a proxy adds are ignored.
 */
import { ApiError } from "../api/api-error.ts";
import type { RequestHead } from "./request-head.ts";
import type { SignIn } from "./sign-in.ts";
import type { Site, Sites } from "./sites.ts";

/** The code of a refusal of a request that another site has caused. */
export const CROSS_SITE = "cross_site";

/** The called site. Throws `ApiError` 403 for a request by another name, or from another site. */
export function checkSource({ headers }: RequestHead, sites: Sites): Site {
  const called = siteOf(headers, sites);
  if (called === undefined) throw refused("foreign_host", "this host is not known by that name");
  const origin = headers.get("origin");
  if (origin !== null && origin !== called.origin)
    throw refused("foreign_origin", "requests of other sites are refused");
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none")
    throw refused(CROSS_SITE, "requests of other sites are refused");
  return called;
}

/** Throws `ApiError` 401 without a good token or cookie, 403 for a change by cookie without our origin. */
export function checkSignIn(head: RequestHead, site: Site, signIn: SignIn): void {
  const byToken = head.headers.has("authorization");
  if (!isKnown(head, site, signIn)) throw unknown(byToken ? "the token is wrong" : "sign in first");
  // A page on another port of this machine sends the cookie too, but it cannot send our origin.
  if (!byToken && isChange(head) && !head.headers.has("origin"))
    throw refused("origin_required", "a change by cookie needs the header Origin");
}

/** Whether the request has the token, or the cookie of the called site. */
export function isSignedIn(head: RequestHead, sites: Sites, signIn: SignIn): boolean {
  return isKnown(head, siteOf(head.headers, sites), signIn);
}

/** A cookie does not make up for a wrong token. */
function isKnown({ headers }: RequestHead, site: Site | undefined, signIn: SignIn): boolean {
  const authorization = headers.get("authorization");
  if (authorization !== null) return signIn.hasToken(authorization);
  return site !== undefined && signIn.hasCookie(headers.get("cookie") ?? "", site);
}

function siteOf(headers: Headers, sites: Sites): Site | undefined {
  return sites.get(headers.get("host")?.toLowerCase() ?? "");
}

function isChange({ method, headers }: RequestHead): boolean {
  return (method !== "GET" && method !== "HEAD") || headers.has("upgrade");
}

function refused(code: string, message: string): ApiError {
  return new ApiError(403, code, message);
}

function unknown(problem: string): ApiError {
  return new ApiError(401, "unauthorized", `${problem}; tugtalk host url prints a new link`);
}
