/**
 * The output of a process, read through another process that can be stopped. From a pipe of its own, Bun
 * reads ahead.
 */
import { closeSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class StoppableOutput {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #reader: Bun.Subprocess<"ignore", "pipe", "inherit">;
  readonly #fd: number;

  constructor() {
    const path = join(tmpdir(), `output-${crypto.randomUUID()}`);
    Bun.spawnSync(["mkfifo", path]);
    this.#reader = Bun.spawn(["cat", path], { stdio: ["ignore", "pipe", "inherit"] });
    this.stream = this.#reader.stdout;
    // Waits until it reads.
    this.#fd = openSync(path, "w");
    rmSync(path);
  }

  /** Starts a process with this output. Once. */
  start<Child>(spawn: (fd: number) => Child): Child {
    try {
      return spawn(this.#fd);
    } finally {
      closeSync(this.#fd);
    }
  }

  /** Nothing is read from now on. */
  stop(): void {
    this.#reader.kill("SIGSTOP");
  }

  resume(): void {
    this.#reader.kill("SIGCONT");
  }
}
