/** A real pgbouncer (Debian's package) in front of a PostgreSQL server of a test. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AS_USER, freePort } from "./postgres-server.ts";

const PROGRAM = "/usr/sbin/pgbouncer";
const RETRY_MS = 20;

export class Pooler {
  readonly port: number;
  readonly #folder: string;
  readonly #process: Bun.Subprocess;

  private constructor(folder: string, port: number, process: Bun.Subprocess) {
    this.#folder = folder;
    this.port = port;
    this.#process = process;
  }

  /** Resolves when it takes connections. `settings` are lines of its file: `pool_mode = session`. */
  static async start(serverPort: number, settings: readonly string[]): Promise<Pooler> {
    const folder = mkdtempSync(join(tmpdir(), "pooler-"));
    const port = freePort();
    const file = join(folder, "pooler.ini");
    const lines = [
      "[databases]",
      `* = host=127.0.0.1 port=${serverPort} user=tugtalk`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = any",
      ...settings,
    ];
    writeFileSync(file, `${lines.join("\n")}\n`);
    const words = [...(process.getuid?.() === 0 ? AS_USER : []), PROGRAM, "--quiet", file];
    const pooler = new Pooler(
      folder,
      port,
      Bun.spawn(words, { stdio: ["ignore", "ignore", "ignore"] }),
    );
    while (!(await isOpen(port))) await Bun.sleep(RETRY_MS);
    return pooler;
  }

  async stop(): Promise<void> {
    this.#process.kill("SIGTERM");
    await this.#process.exited;
    rmSync(this.#folder, { recursive: true });
  }
}

function isOpen(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1");
  socket.on("connect", () => resolve(true));
  socket.on("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
