/** The first check of every request, upgrades included: before its URL is parsed and any route is known. */
import { ApiError } from "../api/api-error.ts";
import type { SignIn } from "./sign-in.ts";

/** The part of a request that the door looks at. */
type Knock = Pick<Request, "method" | "headers">;

/** The code of a refusal for what another site has led to. */
export const CROSS_SITE = "cross_site";

/** Names that always mean this machine. */
const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];

/** The values of `Host` that are ours: the names of this machine and further ones, each with the port. */
export function hostsOf(names: readonly string[], port: number): ReadonlySet<string> {
  const all = [...LOOPBACK_NAMES, ...names.map((name) => name.toLowerCase())];
  // Browsers leave the default port out.
  return new Set(all.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]));
}

/** Throws `ApiError` 403 for a request by another name, or from another site. */
export function checkSource({ headers }: Knock, hosts: ReadonlySet<string>): void {
  const host = headers.get("host")?.toLowerCase() ?? "";
  if (!hosts.has(host)) throw refused("foreign_host", "this host is not known by that name");
  const origin = headers.get("origin");
  if (origin !== null && origin !== `http://${host}`)
    throw refused("foreign_origin", "requests of other sites are refused");
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none")
    throw refused(CROSS_SITE, "requests of other sites are refused");
}

/** Throws `ApiError` 401 without a good token or cookie, 403 for a change by cookie without our origin. */
export function checkSignIn(knock: Knock, signIn: SignIn): void {
  const authorization = knock.headers.get("authorization");
  if (authorization !== null) {
    if (signIn.hasToken(authorization)) return;
    throw unknown("the token is wrong");
  }
  if (!signIn.hasCookie(knock.headers.get("cookie") ?? "")) throw unknown("sign in first");
  // A page on another port of this machine sends the cookie too, but it cannot send our origin.
  if (isChange(knock) && !knock.headers.has("origin"))
    throw refused("origin_required", "a change by cookie needs the header Origin");
}

function isChange({ method, headers }: Knock): boolean {
  return (method !== "GET" && method !== "HEAD") || headers.has("upgrade");
}

function refused(code: string, message: string): ApiError {
  return new ApiError(403, code, message);
}

function unknown(problem: string): ApiError {
  return new ApiError(401, "unauthorized", `${problem}; tugtalk host url prints a new link`);
}
