/** Three hosts that share a database behind a real nginx, with the files of `examples/many-hosts`. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { document } from "../../../../__tests__/support/markdown.ts";
import type { TestHost } from "../../../../testing/drivers/host-process.ts";
import { metricsOf } from "../../../../testing/drivers/metrics.ts";
import { startNginx } from "../../../../testing/drivers/nginx.ts";
import { freePort } from "../../../../testing/drivers/postgres-server.ts";
import { createAuthority, type TestAuthority } from "../../../../testing/drivers/test-authority.ts";
import { linkTo } from "../../../link.ts";
import { readHostRecord } from "../../../server/data-folder.ts";
import type { SharedHosts } from "./shared-hosts.ts";

/** The ways to choose the next host, each with its line for the place that the example leaves open. */
export const BALANCING = { "in turn": "", "by least_conn": "least_conn;" } as const;

export type Balancing = keyof typeof BALANCING;

const FOLDER = "tugtalk/examples/many-hosts";
const NAME = "box.example";
const LOG = "access.log";

/** A line of the access log: a finished request. */
type Answered = {
  readonly path: string;
  readonly status: number;
  /** The ports of the hosts that were asked in turn; the last one has answered. */
  readonly ports: readonly number[];
};

export class BalancedHosts {
  readonly hosts: readonly TestHost[];
  readonly authority: TestAuthority;
  /** The origin for browsers. */
  readonly origin: string;
  readonly #stopNginx: () => Promise<void>;

  private constructor(
    hosts: readonly TestHost[],
    { authority, origin, stopNginx }: Front & { readonly stopNginx: () => Promise<void> },
  ) {
    this.hosts = hosts;
    this.authority = authority;
    this.origin = origin;
    this.#stopNginx = stopNginx;
  }

  static async open(shared: SharedHosts, balancing: Balancing): Promise<BalancedHosts> {
    const authority = createAuthority(NAME);
    const port = freePort();
    const origin = `https://${NAME}:${port}`;
    const args = [`--public-url=${origin}`];
    const hosts = await Promise.all([1, 2, 3].map(() => shared.start({ args })));
    const served = exampleOf({ authority, port, hosts, balancing });
    const stopNginx = await startNginx(join(authority.root, "nginx"), served);
    return new BalancedHosts(hosts, { authority, origin, stopNginx });
  }

  /** The options with which Chromium finds the example's name on this machine. */
  get chromium(): { readonly args: readonly string[]; readonly home: string } {
    const { home } = this.authority;
    return { args: [`--host-resolver-rules=MAP ${NAME} 127.0.0.1`], home };
  }

  /** A link that works once. */
  link(): string {
    const [host] = this.hosts;
    const record = host && readHostRecord(host.dataDir);
    if (record === undefined) throw new Error("the host does not run");
    return linkTo(record, Date.now());
  }

  /** A host that neither has this WebSocket nor, if there is another one, has served the page. */
  thirdOf(socketHost: TestHost): TestHost {
    const others = this.hosts.filter((host) => host !== socketHost);
    const third = others.find((host) => host !== this.hostOf("/")) ?? others[0];
    if (third === undefined) throw new Error("there is one host only");
    return third;
  }

  /** The requests that have finished. */
  get answered(): readonly Answered[] {
    const lines = readFileSync(join(this.authority.root, LOG), "utf8").trimEnd().split("\n");
    return lines.map((line) => {
      const [, path = "", status, hosts = ""] = /\] \S+ (\S+) (\d+) (.+)$/.exec(line) ?? [];
      const ports = hosts.split(", ").map((host) => Number(host.split(":").at(-1)));
      return { path, status: Number(status), ports };
    });
  }

  /** The first finished request for this path: nginx logs it after its answer. */
  async answerTo(path: string): Promise<Answered> {
    for (;;) {
      const found = this.answered.find((one) => one.path === path);
      if (found !== undefined) return found;
      await Bun.sleep(10);
    }
  }

  /** The host that has answered the latest request for this path. */
  hostOf(path: string): TestHost {
    const port = this.answered.findLast((one) => one.path === path)?.ports.at(-1);
    const host = this.hosts.find((one) => one.port === port);
    if (host === undefined) throw new Error(`no host has answered ${path}`);
    return host;
  }

  /** Waits for a WebSocket, and gives the host of the only one. */
  async socketHost(): Promise<TestHost> {
    for (;;) {
      const [host, ...others] = await this.socketHosts();
      if (host !== undefined && others.length === 0) return host;
    }
  }

  /** The hosts that have WebSockets. */
  async socketHosts(): Promise<readonly TestHost[]> {
    const living = this.hosts.filter((host) => host.isRunning);
    const counts = await Promise.all(living.map(socketsOf));
    return living.filter((_, index) => (counts[index] ?? 0) > 0);
  }

  async end(): Promise<void> {
    await this.#stopNginx();
    rmSync(this.authority.root, { recursive: true, force: true });
  }
}

type Front = { readonly authority: TestAuthority; readonly origin: string };

async function socketsOf(host: TestHost): Promise<number | undefined> {
  return (await metricsOf(host)).get('tugtalk_streams{kind="websocket"}');
}

type Filled = {
  readonly authority: TestAuthority;
  readonly port: number;
  readonly hosts: readonly Pick<TestHost, "port">[];
  readonly balancing: Balancing;
};

/** Both files of the example with these ports and paths. Throws if one of these is not in them. */
export function exampleOf({ authority, port, hosts, balancing }: Filled): string {
  const texts = ["nginx-hosts.conf", "nginx.conf"].map((name) => document(`${FOLDER}/${name}`));
  const filled: readonly (readonly [text: string, own: string])[] = [
    ["listen 443 ", `listen 127.0.0.1:${port} `],
    ["/etc/ssl/box.example.pem", authority.certFile],
    ["/etc/ssl/box.example.key", authority.keyFile],
    ["/var/log/nginx/tugtalk.log", join(authority.root, LOG)],
    ["# least_conn;", BALANCING[balancing]],
    ...hosts.map((host, index) => [`:${7717 + index};`, `:${host.port};`] as const),
  ];
  return filled.reduce((text, [wanted, own]) => {
    if (text.split(wanted).length !== 2) throw new Error(`not once in the example: ${wanted}`);
    return text.replace(wanted, own);
  }, texts.join("\n"));
}
