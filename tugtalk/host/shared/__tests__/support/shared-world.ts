/** Three hosts on one PostgreSQL, each by a proxy of its own, and their faults. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BreakingProxy } from "../../../../testing/drivers/breaking-proxy.ts";
import { endHosts, startHost, type TestHost } from "../../../../testing/drivers/host-process.ts";
import { metricsOf } from "../../../../testing/drivers/metrics.ts";
import { CRASH_SAFE, PostgresServer } from "../../../../testing/drivers/postgres-server.ts";
import { lingerMsAfter } from "../../../bridges/place-connection.ts";
import { wrongClock } from "./shared-hosts.ts";

export const HOSTS = 3;
export const FAULTS = [
  "kill",
  "stop",
  "stop_long",
  "cut",
  "freeze",
  "freeze_long",
  "freeze_one_long",
  "kill_database",
] as const;
export type FaultKind = (typeof FAULTS)[number];

/** A fault of a host, or of the database, at a time of its round. */
export type Fault = {
  readonly kind: FaultKind;
  readonly host: number;
  readonly atMs: number;
  readonly forMs: number;
};

const LEASE_SECONDS = 2;
const LEASE_MS = LEASE_SECONDS * 1_000;
const GRACE_MS = 2_000;
/** Longer than a host waits for an answer of its database. */
const ONE_FROZEN_MS = 12_000;
/** The longest time without a host that executes a session's commands. */
export const TAKEOVER_MS = Math.max(LEASE_MS, lingerMsAfter(LEASE_MS, GRACE_MS)) + 5_000;
const READY_MS = 60_000;
const RETRY_MS = 200;

export type WorldOptions = {
  /** By how many hours the clock of each host is wrong. */
  readonly clocks: readonly number[];
};

/** A host with its connection to the database. */
type Member = {
  readonly host: TestHost;
  readonly proxy: BreakingProxy;
  /** Resolves when the fault is over. The next fault of the host waits for it. */
  whole: Promise<unknown>;
};

export class SharedWorld {
  readonly #server: PostgresServer;
  readonly #members: readonly Member[];
  /** The folder of Claude's files, whichever host has started it. */
  readonly configDir: string;
  readonly #database: Pick<Member, "whole"> = { whole: Promise.resolve() };
  /** The time of the last begin or end of a fault, or of the last lost lease. */
  changedAt = performance.now();
  #leasesLost: readonly unknown[] = [];
  #isEnded = false;
  /** Called with a host that clients cannot reach from now on. */
  readonly onMute = new Set<(host: TestHost) => void>();

  private constructor(server: PostgresServer, members: readonly Member[], configDir: string) {
    this.#server = server;
    this.configDir = configDir;
    this.#members = members;
    void this.#watch();
  }

  /** A busy machine may let a lease end without any fault of ours. */
  async #watch(): Promise<void> {
    while (!this.#isEnded) {
      const lost = await Promise.all(this.hosts.map(leasesLost));
      if (!Bun.deepEquals(lost, this.#leasesLost)) this.changedAt = performance.now();
      this.#leasesLost = lost;
      await Bun.sleep(RETRY_MS);
    }
  }

  static async open({ clocks }: WorldOptions): Promise<SharedWorld> {
    const server = await PostgresServer.start(CRASH_SAFE);
    const url = new URL(await server.newDatabase());
    const configDir = mkdtempSync(join(tmpdir(), "config-"));
    const members = await Promise.all(
      clocks.map(async (hours) => {
        const proxy = await BreakingProxy.open(server.port);
        url.port = String(proxy.port);
        return {
          proxy,
          whole: Promise.resolve(),
          host: await startHost(hostOptions(url.href, hours, configDir)),
        };
      }),
    );
    return new SharedWorld(server, members, configDir);
  }

  get hosts(): readonly TestHost[] {
    return this.#members.map(({ host }) => host);
  }

  /** The host of a number, counted round. */
  hostAt(number: number): TestHost {
    const { host } = this.#memberAt(number);
    return host;
  }

  #memberAt(number: number): Member {
    const member = this.#members[number % this.#members.length];
    if (member === undefined) throw new Error("a world has hosts");
    return member;
  }

  /** Causes a fault. Resolves when its damage is repaired. */
  async suffer({ kind, host: number, atMs, forMs }: Fault): Promise<void> {
    await Bun.sleep(atMs);
    const member = kind === "kill_database" ? this.#database : this.#memberAt(number);
    const broken = member.whole.then(async () => {
      this.changedAt = performance.now();
      await this.#break(this.#memberAt(number), kind, forMs);
      this.changedAt = performance.now();
    });
    member.whole = broken;
    await broken;
  }

  async #break({ host, proxy }: Member, kind: FaultKind, forMs: number): Promise<void> {
    if (kind === "cut") proxy.cut();
    else if (kind === "kill") await this.#kill(host, forMs);
    else if (kind === "kill_database") await this.#killDatabase(forMs);
    else if (kind === "freeze_one_long") {
      proxy.freezeOne(forMs);
      await Bun.sleep(ONE_FROZEN_MS);
      proxy.thaw();
    } else if (kind === "freeze" || kind === "freeze_long") {
      proxy.freeze();
      await Bun.sleep(forMs);
      proxy.thaw();
    } else await this.#stop(host, forMs);
  }

  async #kill(host: TestHost, forMs: number): Promise<void> {
    await host.kill();
    await Bun.sleep(forMs);
    const end = performance.now() + READY_MS;
    for (;;) {
      try {
        return await host.start();
      } catch (error) {
        // The host does not start without its database.
        if (performance.now() > end) throw error;
        await Bun.sleep(RETRY_MS);
      }
    }
  }

  async #stop(host: TestHost, forMs: number): Promise<void> {
    process.kill(host.pid, "SIGSTOP");
    for (const tell of this.onMute) tell(host);
    await Bun.sleep(forMs);
    process.kill(host.pid, "SIGCONT");
  }

  async #killDatabase(forMs: number): Promise<void> {
    await this.#server.kill();
    await Bun.sleep(forMs);
    await this.#server.restart();
  }

  /** Resolves when every host executes commands. */
  async ready(): Promise<void> {
    const end = performance.now() + READY_MS;
    while (!(await Promise.all(this.hosts.map(isReady))).every(Boolean)) {
      if (performance.now() > end) throw new Error("a host does not get ready again");
      await Bun.sleep(50);
    }
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    await endHosts();
    for (const { proxy } of this.#members) proxy.close();
    await this.#server.stop();
  }
}

/** Undefined if the host does not answer. */
async function leasesLost(host: TestHost): Promise<number | undefined> {
  const metrics = await metricsOf(host).catch(() => undefined);
  return metrics?.get("tugtalk_leases_lost_total");
}

async function isReady({ url }: TestHost): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/ready`)).ok;
  } catch {
    // A connection that was kept open may be lost.
    return false;
  }
}

function hostOptions(url: string, wrongHours: number, configDir: string) {
  return {
    args: [`--lease=${LEASE_SECONDS}`, `--idle-exit=${LEASE_SECONDS}`],
    env: {
      TUGTALK_DATABASE: url,
      CLAUDE_CONFIG_DIR: configDir,
      ...wrongClock(wrongHours),
    },
  };
}
