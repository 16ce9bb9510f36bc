/** Turns HTTP requests into answers: first the door, then the route. Has no port and no socket. */
import { HOST_ROUTES } from "../../client/host-routes.ts";
import { ALIAS_ROUTES } from "../api/alias-routes.ts";
import { ApiError, badField } from "../api/api-error.ts";
import {
  type CommandAnswer,
  type CommandName,
  type CommandRunner,
  ok,
  TextBody,
} from "../api/command.ts";
import { MAX_BODY_BYTES, MAX_MESSAGE_BYTES } from "../api/command-limits.ts";
import { answerOf } from "../api/error-answer.ts";
import type { Caller, HostSessions } from "../api/host-session.ts";
import type { OwnPageSource } from "../page/page-files.ts";
import type { OpenStreams } from "../stream/open-streams.ts";
import { boardEvents, sessionEvents } from "../stream/sse.ts";
import {
  assetResponse,
  commandResponse,
  emptyResponse,
  redirectResponse,
  refusalPageResponse,
  SECURITY_HEADERS,
} from "./headers.ts";
import { PROOF_PATH } from "./host-proof.ts";
import { OTHER_ROUTES } from "./other-routes.ts";
import { CROSS_SITE_PAGE, SIGN_IN_PAGE } from "./pages.ts";
import { PROMETHEUS_TYPE } from "./prometheus.ts";
import { isReadyPath } from "./ready.ts";
import { mergedFields, noQueryBut, readFields } from "./request-fields.ts";
import { CROSS_SITE, checkSignIn, checkSource } from "./request-guard.ts";
import { Routes } from "./routes.ts";
import type { SignIn } from "./sign-in.ts";
import type { Site, Sites } from "./sites.ts";

/** The connection that a request came by. */
export type Peer = {
  /** Turns the connection into a WebSocket. False if the request is none. */
  readonly upgrade: (caller: Caller) => boolean;
  /** The number of open requests and WebSockets at its address, this one included. */
  readonly connections: number;
};

/** The most connections, streams and WebSockets included. */
const MAX_CONNECTIONS = 1_000;

/** The most characters of a client's own name that are kept. */
const MAX_CLIENT_NAME_CHARS = 100;

/** Never rejects. Undefined if the connection has become a WebSocket. */
export type Handler = (request: Request, peer: Peer) => Promise<Response | undefined>;

export type HandlerPorts = {
  readonly sessions: HostSessions;
  readonly runCommand: CommandRunner;
  readonly signIn: SignIn;
  readonly sites: Sites;
  readonly page: OwnPageSource;
  /** Whether a balancer may send clients to this host. */
  readonly isReady: () => boolean;
  /** The metrics in Prometheus's text format. */
  readonly metrics: () => string;
  /** The OpenAPI document, as JSON. */
  readonly openApi: () => Promise<string>;
  readonly streams: OpenStreams;
  readonly report: (error: unknown) => void;
};

const ROUTES = new Routes({
  ...HOST_ROUTES,
  ...ALIAS_ROUTES,
  ...OTHER_ROUTES,
});

export function openHandler(ports: HandlerPorts): Handler {
  const requests = new Requests(ports);
  return async (request, peer) => {
    if (isReadyPath(request)) return emptyResponse(ports.isReady() ? 200 : 503);
    try {
      return await requests.answer(request, peer);
    } catch (error) {
      if (!(error instanceof ApiError)) ports.report(error);
      return refusalResponse(request, error);
    }
  };
}

class Requests {
  readonly #ports: HandlerPorts;

  constructor(ports: HandlerPorts) {
    this.#ports = ports;
  }

  async answer(request: Request, peer: Peer): Promise<Response | undefined> {
    const { sites, signIn } = this.#ports;
    // Before the URL is parsed: a request without `Host` has no valid one.
    const site = checkSource(request, sites);
    const url = URL.parse(request.url);
    // For example the target of a CONNECT.
    if (url === null) throw nothingHere();
    const given = request.method === "GET" ? url.searchParams : new URLSearchParams();
    const code = url.pathname === "/" ? given.get("code") : null;
    if (code !== null) return this.#signIn(code, request, site);
    const nonce = url.pathname === PROOF_PATH ? given.get("nonce") : null;
    if (nonce !== null) {
      noQueryBut(["nonce"], url);
      return this.#prove(nonce, site);
    }
    checkSignIn(request, site, signIn);
    const routed = ROUTES.find(request.method, url.pathname);
    if (peer.connections > MAX_CONNECTIONS)
      throw new ApiError(429, "too_many", `more than ${MAX_CONNECTIONS} requests at a time`);
    if (routed === undefined) throw nothingHere();
    if ("allow" in routed) return wrongMethod(routed.allow);
    const { name, fields } = routed;
    switch (name) {
      case "home":
        return this.#pageFile("", request, site);
      case "asset":
        return this.#pageFile(fields["name"] ?? "", request, site);
      case "metrics":
      case "openapi":
        noQueryBut([], url);
        return commandResponse(ok(await this.#text(name)));
      case "events":
        noQueryBut(["after"], url);
        return secured(await this.#events(fields["id"] ?? "", request));
      case "board":
        noQueryBut([], url);
        return secured(boardEvents(this.#ports.sessions, this.#ports));
      case "socket":
        noQueryBut([], url);
        return upgrade(request, peer);
      default: {
        const all = mergedFields(fields, url.searchParams, await bodyOf(name, request));
        return commandResponse(await this.#ports.runCommand(name, all, callerOf(request)));
      }
    }
  }

  async #text(name: "metrics" | "openapi"): Promise<TextBody> {
    return name === "metrics"
      ? new TextBody(PROMETHEUS_TYPE, this.#ports.metrics())
      : new TextBody("application/json", await this.#ports.openApi());
  }

  async #events(id: string, request: Request): Promise<Response> {
    const { sessions } = this.#ports;
    await sessions.seek(id);
    return sessionEvents(sessions.get(id), request, this.#ports);
  }

  async #pageFile(wanted: string, request: Request, site: Site): Promise<Response> {
    const { files } = await this.#ports.page(this.#ports.signIn.proofKeyOf(site));
    const file = files.find(({ name }) => name === wanted);
    if (file === undefined) throw nothingHere();
    return assetResponse(file, request);
  }

  async #signIn(code: string, { headers }: Request, site: Site): Promise<Response> {
    const { signIn } = this.#ports;
    if (site.cookieName === undefined) throw unusable("browsers do not sign in by this name");
    const cookie = (await signIn.takeCode(code)) ? signIn.setCookie(site) : undefined;
    if (cookie !== undefined) return redirectResponse("/", { "set-cookie": cookie });
    // A signed-in browser opens its link again, from its history.
    if (signIn.hasCookie(headers.get("cookie") ?? "", site)) return redirectResponse("/");
    throw unusable("this link was used before or is too old");
  }

  #prove(nonce: string, site: Site): Response {
    const proof = this.#ports.signIn.proofOf(nonce, site);
    if (proof === undefined) throw badField("nonce", "expected 22 to 64 letters and digits");
    return commandResponse({ status: 200, body: { proof } });
  }
}

function bodyOf(name: CommandName, request: Request) {
  if (request.method === "GET") {
    // A `Request` with the method GET has no body, whatever the client has sent.
    if (hasBody(request)) throw badField("body", "the fields of a GET are those of its query");
    return {};
  }
  return readFields(request, name === "message" ? MAX_MESSAGE_BYTES : MAX_BODY_BYTES);
}

function hasBody({ headers }: Request): boolean {
  return Number(headers.get("content-length") ?? 0) > 0 || headers.has("transfer-encoding");
}

function callerOf({ headers }: Request): Caller {
  const name = decoded(headers.get("x-client-name") ?? "").slice(0, MAX_CLIENT_NAME_CHARS);
  return name === "" ? {} : { name };
}

/** A header allows no letters beyond Latin-1, so a name may be percent-encoded. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // Not encoded.
  }
}

function upgrade(request: Request, peer: Peer): undefined {
  if (peer.upgrade(callerOf(request))) return undefined;
  throw new ApiError(426, "upgrade_required", "this is the path of a WebSocket");
}

function unusable(problem: string): ApiError {
  return new ApiError(401, "unauthorized", `${problem}; tugtalk host url prints a new link`);
}

function nothingHere(): ApiError {
  return new ApiError(404, "not_found", "there is nothing here");
}

function wrongMethod(allow: readonly string[]): Response {
  const allowed = allow.join(", ");
  const answer = answerOf(new ApiError(405, "wrong_method", `use ${allowed}`));
  return commandResponse(answer, { allow: allowed });
}

function secured(response: Response): Response {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value);
  return response;
}

/** A refusal. A browser that asks for a page gets one that says how to go on. */
function refusalResponse(request: Request, error: unknown): Response {
  const answer = answerOf(error);
  const page = isBrowser(request) ? pageOf(answer) : undefined;
  const headers: Record<string, string> =
    answer.status === 401 ? { "www-authenticate": "Bearer" } : {};
  return page === undefined
    ? commandResponse(answer, headers)
    : refusalPageResponse(answer.status, page, headers);
}

function isBrowser({ method, headers }: Request): boolean {
  return method === "GET" && headers.get("accept")?.includes("text/html") === true;
}

function pageOf({ status, body }: CommandAnswer): string | undefined {
  if (status === 401) return SIGN_IN_PAGE;
  return "code" in body && body["code"] === CROSS_SITE ? CROSS_SITE_PAGE : undefined;
}
