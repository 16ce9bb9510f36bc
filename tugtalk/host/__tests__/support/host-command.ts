/** `tugtalk host …` as a person starts it, in a throw-away home. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOST_BRIDGE, UNDER_TEST } from "../../../testing/drivers/bridge-process.ts";
import { Printed } from "../../../testing/drivers/process-output.ts";

export type HostCommandRun = {
  readonly pid: number;
  /** The output up to a line that matches. Rejects if the output ends before. */
  readonly lines: (until: RegExp) => Promise<string>;
  /** Its output and its exit code, once it has ended. */
  readonly ended: Promise<{
    readonly exitCode: number;
    readonly output: string;
    readonly errors: string;
  }>;
  readonly kill: (signal: NodeJS.Signals) => void;
};

/** The address of a serving host. */
export type ServingHost = { readonly url: URL; readonly port: number };

export class HostHome {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "host-home-")));
  readonly stateDir = join(this.root, "state");
  /** The folder in which the host is started, and so the folder of new sessions. */
  readonly project = join(this.root, "project");
  readonly #started: Bun.Subprocess[] = [];

  constructor() {
    for (const dir of [this.project, join(this.root, "tmp")]) mkdirSync(dir);
  }

  /** Starts the command with the arguments after `host`. */
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

  /** Runs a host in a data folder of this name during `look`, and then ends it in good order. */
  async during<Seen>(
    folder: string,
    words: readonly string[],
    look: (host: ServingHost) => Promise<Seen>,
  ): Promise<Seen> {
    const host = this.run("--json", `--data=${join(this.root, folder)}`, ...words);
    const { url, port } = JSON.parse(await host.lines(/\n/));
    const seen = await look({ url: new URL(url), port });
    host.kill("SIGTERM");
    const { exitCode, errors } = await host.ended;
    if (exitCode !== 0) throw new Error(`${exitCode}: ${errors}`);
    return seen;
  }

  /** Ends all that was started, and removes the files. */
  async end(): Promise<void> {
    for (const child of this.#started) child.kill("SIGKILL");
    await Promise.all(this.#started.map((child) => child.exited));
    rmSync(this.root, { recursive: true, force: true });
  }
}
