/** A small file system of a test's own, mounted where only the commands see it that are run on it. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EndedCommand, runCommand, sessionsCommand } from "./ended-command.ts";

/** A small file system. `close` ends it. */
export class SmallDisk {
  /** Its path for the commands that run on it. */
  readonly path: string;
  readonly #holder: Bun.Subprocess<"pipe", "pipe", "inherit">;

  private constructor(path: string, holder: Bun.Subprocess<"pipe", "pipe", "inherit">) {
    this.path = path;
    this.#holder = holder;
  }

  /** Rejects where no file system can be mounted: it needs user namespaces, or root. */
  static async mount(megabytes: number): Promise<SmallDisk> {
    const path = mkdtempSync(join(tmpdir(), "disk-"));
    const script = `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && echo mounted && exec cat`;
    const unshare = ["unshare", "--user", "--map-root-user", "--mount"];
    const holder = Bun.spawn([...unshare, "sh", "-c", script, path], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const { value } = await holder.stdout.getReader().read();
    if (value === undefined)
      throw new Error("no small disk can be mounted: this test needs user namespaces, or root");
    return new SmallDisk(path, holder);
  }

  /** The first words of a command that is to see it. */
  get prefix(): readonly string[] {
    const target = `--target=${this.#holder.pid}`;
    return ["nsenter", target, "--user", "--mount", "--preserve-credentials"];
  }

  run(command: readonly string[]): Promise<EndedCommand> {
    return runCommand([...this.prefix, ...command]);
  }

  /** `tugtalk host sessions …` on a data folder in it. */
  sessions(folder: string, ...words: readonly string[]): Promise<EndedCommand> {
    return this.run(sessionsCommand(folder, words));
  }

  /** Another program takes all the room that is left. */
  async fill(): Promise<void> {
    await this.run(["sh", "-c", `cat /dev/zero > ${join(this.path, "filler")}`]);
  }

  async makeReadOnly(): Promise<void> {
    const { code, err } = await this.run(["mount", "-o", "remount,ro", this.path]);
    if (code !== 0) throw new Error(err);
  }

  close(): void {
    this.#holder.kill();
  }
}
