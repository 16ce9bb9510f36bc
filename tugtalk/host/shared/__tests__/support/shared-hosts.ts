/** Hosts that share one PostgreSQL database, for tests. */
import { join } from "node:path";
import {
  endHosts,
  type HostOptions,
  startHost,
  type TestHost,
  TestHostSession,
} from "../../../../testing/drivers/host-process.ts";
import { PostgresServer } from "../../../../testing/drivers/postgres-server.ts";

const SHORT = ["--lease=2", "--idle-exit=2"];

export class SharedHosts {
  readonly server: PostgresServer;
  readonly url: string;

  private constructor(server: PostgresServer, url: string) {
    this.server = server;
    this.url = url;
  }

  static async open(settings?: readonly string[]): Promise<SharedHosts> {
    const server = await PostgresServer.start(settings);
    return new SharedHosts(server, await server.newDatabase());
  }

  /** One more host, with a lease of two seconds. */
  start({ args = [], env, ...options }: HostOptions = {}): Promise<TestHost> {
    return startHost({
      ...options,
      args: [...SHORT, ...args],
      env: { TUGTALK_DATABASE: this.url, ...env },
    });
  }

  async end(): Promise<void> {
    await endHosts();
    await this.server.stop();
  }
}

const HOUR_MS = 3_600_000;
const WRONG_CLOCK = join(import.meta.dir, "../../../../testing/fixtures/wrong-clock.ts");

/** The environment of a host whose clock is wrong by this number of hours. */
export function wrongClock(hours: number): Readonly<Record<string, string>> {
  return {
    BUN_OPTIONS: `--preload=${WRONG_CLOCK}`,
    WRONG_CLOCK_MS: String(hours * HOUR_MS),
  };
}

/** The same session at another host. */
export function at(host: TestHost, { id, dir }: TestHostSession): TestHostSession {
  return new TestHostSession(host, id, dir);
}
