/** A host that is called by raw requests, directly or through a proxy. */
import type { TestHost, TestHostSession } from "../../../../testing/drivers/host-process.ts";
import { linkTo } from "../../../link.ts";
import { readHostRecord } from "../../data-folder.ts";
import { type RawAnswer, requestText, sendRaw } from "./raw-http.ts";

/** Headers to add to those of the way in; null removes one. */
export type Headers = Readonly<Record<string, string | null>>;

/** The address at which a host's page is served. */
export type Entrance = {
  /** Sends a text unchanged. */
  readonly send: (request: string) => Promise<RawAnswer>;
  /** Requests by other names than the page's come through, too. */
  readonly passesEveryName: boolean;
};

/** The means to call a host in every way: its page's origin, a session, a cookie and a used code. */
export class Visit {
  readonly host: TestHost;
  readonly origin: string;
  readonly session: TestHostSession;
  readonly usedCode: string;
  readonly entrance: Entrance;
  #cookie = "";

  private constructor(host: TestHost, session: TestHostSession, entrance: Entrance) {
    this.host = host;
    this.session = session;
    this.origin = host.pageUrl;
    this.usedCode = this.freshCode();
    this.entrance = entrance;
  }

  /** Signs in. */
  static async open(host: TestHost, entrance = directly(host)): Promise<Visit> {
    const visit = new Visit(host, await host.createSession(), entrance);
    const { headers } = await visit.get(`/?code=${visit.usedCode}`);
    visit.#cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
    return visit;
  }

  get cookie(): string {
    return this.#cookie;
  }

  byToken() {
    return { Authorization: this.host.authorization.authorization };
  }

  byCookie() {
    return { Cookie: this.cookie, Origin: this.origin };
  }

  freshCode(): string {
    const record = readHostRecord(this.host.dataDir);
    if (record === undefined) throw new Error("the host does not run");
    return new URL(linkTo(record, Date.now())).searchParams.get("code") ?? "";
  }

  send(first: string, headers: Headers, body = ""): Promise<RawAnswer> {
    const all = { Host: new URL(this.origin).host, ...headers };
    const lines = Object.entries(all).flatMap(([name, value]) =>
      value === null ? [] : [`${name}: ${value}`],
    );
    return this.entrance.send(requestText([`${first} HTTP/1.1`, ...lines], body));
  }

  get(path: string, headers: Headers = {}): Promise<RawAnswer> {
    return this.send(`GET ${path}`, headers);
  }
}

function directly(host: TestHost): Entrance {
  return { send: (request) => sendRaw(host.port, request), passesEveryName: true };
}
