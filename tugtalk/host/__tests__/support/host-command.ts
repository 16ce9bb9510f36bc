/** `tugtalk host …` as a person starts it, in a throw-away home. */
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOST_BRIDGE, UNDER_TEST } from "../../../testing/drivers/bridge-process.ts";

export type HostCommandRun = {
  readonly pid: number;
  /** The output up to a line that matches. Rejects if the output ends before. */
  readonly lines: (until: RegExp) => Promise<string>;
  /** What it has printed and its exit code, once it has ended. */
  readonly ended: Promise<{
    readonly exitCode: number;
    readonly output: string;
    readonly errors: string;
  }>;
  readonly kill: (signal: NodeJS.Signals) => void;
};

export class HostHome {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "host-home-")));
  readonly stateDir = join(this.root, "state");
  /** Where it is started, so that new sessions work there. */
  readonly project = join(this.root, "project");
  readonly #started: Bun.Subprocess[] = [];

  constructor() {
    for (const dir of [this.project, join(this.root, "tmp")]) mkdirSync(dir);
  }

  /** Starts it with the words after `host`. */
  run(...words: readonly string[]): HostCommandRun {
    const child = Bun.spawn([...UNDER_TEST, "host", ...words], {
      cwd: this.project,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: "/usr/bin:/bin",
        HOME: this.root,
        XDG_STATE_HOME: this.stateDir,
        TMPDIR: join(this.root, "tmp"),
        ...HOST_BRIDGE,
      },
    });
    this.#started.push(child);
    const output = new Printed(child.stdout);
    const errors = new Response(child.stderr).text();
    return {
      pid: child.pid,
      lines: (until) => output.waitFor(until),
      ended: Promise.all([child.exited, output.whole, errors]).then(([exitCode, whole, text]) => ({
        exitCode,
        output: whole,
        errors: text,
      })),
      kill: (signal) => child.kill(signal),
    };
  }

  /** Ends all that it has started. */
  async end(): Promise<void> {
    for (const child of this.#started) child.kill("SIGKILL");
    await Promise.all(this.#started.map((child) => child.exited));
  }
}

/** What a process prints. */
export class Printed {
  readonly whole: Promise<string>;
  #text = "";
  #changed = Promise.withResolvers<void>();
  #hasEnded = false;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.whole = this.#read(stream);
  }

  async waitFor(until: RegExp): Promise<string> {
    while (!until.test(this.#text)) {
      if (this.#hasEnded) throw new Error(`the output ended: ${this.#text}`);
      await this.#changed.promise;
    }
    return this.#text;
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<string> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      this.#text += decoder.decode(chunk, { stream: true });
      this.#announce();
    }
    this.#hasEnded = true;
    this.#announce();
    return this.#text;
  }

  #announce(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
