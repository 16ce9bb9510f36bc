/** A real PostgreSQL server for tests: a folder of its own, loopback, and an end with its test. */

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { descendantsOf } from "./processes.ts";

/** Where Debian has the programs of each version. */
const DEBIAN = "/usr/lib/postgresql";
/** PostgreSQL refuses to run as root. In a user namespace it is somebody else, with the same rights. */
export const AS_USER = ["unshare", "--user", "--map-user=1000", "--map-group=1000"];
/** The writes of a commit may be lost with the machine. */
const FAST = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];
/** The machine stays, but not the server. */
export const CRASH_SAFE: readonly string[] = ["fsync=off", "full_page_writes=off"];
const RESTARTS = 20;
const RESTART_MS = 100;

/** The settings of an installed server: for benchmarks. */
export const DURABLE: readonly string[] = [];

export class PostgresServer {
  readonly #folder: string;
  readonly #settings: readonly string[];
  readonly port: number;
  #process: Bun.Subprocess;
  #databases = 0;

  private constructor(
    folder: string,
    port: number,
    settings: readonly string[],
    process: Bun.Subprocess,
  ) {
    this.#folder = folder;
    this.port = port;
    this.#settings = settings;
    this.#process = process;
  }

  /** Resolves when it takes connections. */
  static async start(own: readonly string[] = FAST): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), "postgres-"));
    const data = join(folder, "data");
    mkdirSync(data, { mode: 0o700 });
    const options = ["--auth=trust", "--username=tugtalk", "--encoding=UTF8", "--locale=C.UTF-8"];
    const made = Bun.spawnSync(command("initdb", ["-D", data, "--no-sync", ...options]), {
      cwd: folder,
    });
    if (!made.success) throw new Error(`initdb failed: ${made.stderr.toString()}`);
    const port = freePort();
    const settings = [...own, "listen_addresses=127.0.0.1", `unix_socket_directories=`];
    return new PostgresServer(folder, port, settings, await run(folder, port, settings));
  }

  /**
   * Kills it as in a crash: only with `CRASH_SAFE` are committed rows certain to be there after `restart`.
   */
  async kill(): Promise<void> {
    // Its children would hold its memory for a while. Some of them may end by themselves meanwhile.
    const all = [this.pid, ...descendantsOf(this.pid)];
    Bun.spawnSync(["kill", "-KILL", ...all.map(String)]);
    await this.#process.exited;
  }

  /** After `kill`, on the same port. Resolves when it takes connections. */
  async restart(): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        this.#process = await run(this.#folder, this.port, this.#settings);
        return;
      } catch (error) {
        // Processes of the killed one end a little later.
        if (tries === RESTARTS) throw error;
        await Bun.sleep(RESTART_MS);
      }
    }
  }

  /** The URL of a database with nothing in it. */
  async newDatabase(): Promise<string> {
    this.#databases += 1;
    const name = `test_${this.#databases}`;
    const admin = new SQL(this.urlOf("postgres"), { max: 1 });
    await admin.unsafe(`CREATE DATABASE ${name}`);
    await admin.close();
    return this.urlOf(name);
  }

  get pid(): number {
    return this.#process.pid;
  }

  urlOf(database: string): string {
    return `postgres://tugtalk@127.0.0.1:${this.port}/${database}`;
  }

  /** Stops at once, also with open connections. */
  async stop(): Promise<void> {
    this.#process.kill("SIGQUIT");
    await this.#process.exited;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function run(folder: string, port: number, settings: readonly string[]) {
  const words = ["-D", join(folder, "data"), "-p", String(port)];
  const process = Bun.spawn(
    command("postgres", [...words, ...settings.flatMap((one) => ["-c", one])]),
    { cwd: folder, stderr: "pipe" },
  );
  await saysReady(process.stderr);
  return process;
}

function command(name: string, words: readonly string[]): string[] {
  const version = readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one))[0] ?? "";
  const program = [join(DEBIAN, version, "bin", name), ...words];
  return process.getuid?.() === 0 ? [...AS_USER, ...program] : program;
}

/** PostgreSQL takes a number only. Another program can take it first, which fails the start. */
export function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}

/** Reads on behind it, so that the server never waits for its log. */
async function saysReady(log: ReadableStream<Uint8Array>): Promise<void> {
  const ready = Promise.withResolvers<void>();
  let text = "";
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const piece of log) {
      text = (text + decoder.decode(piece, { stream: true })).slice(-10_000);
      if (text.includes("ready to accept connections")) ready.resolve();
    }
    ready.reject(new Error(`PostgreSQL has ended: ${text}`));
  };
  void read();
  await ready.promise;
}
