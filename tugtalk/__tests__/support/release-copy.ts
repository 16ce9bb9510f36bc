/** Copies of this repository in folders of their own, in which releases are built. */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type EndedCommand, runCommand } from "../../testing/drivers/ended-command.ts";
import { ROOT } from "./markdown.ts";

/** The platform of this machine: its binary needs no download. */
export const OWN_PLATFORM = `${process.platform}-${process.arch}`;

/** One copy, with a made-up place. */
export class ReleaseCopy {
  /** The finished release. */
  readonly release: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.release = join(folder, "dist/release");
  }

  /** With the files as they are here, committed or not, below a path of any length. */
  static async make(path: string): Promise<ReleaseCopy> {
    const folder = join(mkdtempSync(join(tmpdir(), "tugtalk-release-")), path);
    const list = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    const { out } = await runCommand(list, { cwd: ROOT });
    for (const name of out.split("\0").filter((name) => name !== "")) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      cpSync(join(ROOT, name), join(folder, name));
    }
    await copyPackages(folder);
    const copy = new ReleaseCopy(folder);
    copy.setPlace("git+https://git.example/tugtalk.git", "security@tugtalk.example");
    return copy;
  }

  setPlace(url: string, email: string): void {
    const path = join(this.#folder, "package.json");
    const manifest = JSON.parse(readFileSync(path, "utf8"));
    const place = { repository: { type: "git", url }, bugs: { email } };
    writeFileSync(path, JSON.stringify({ ...manifest, ...place }, undefined, 2));
  }

  /** Makes it a clone in which everything is committed, and then a new file in it. */
  async commit(added: string): Promise<void> {
    const git = ["git", "-c", "user.name=it", "-c", "user.email=it@mail.example"];
    for (const words of [["init"], ["add", "."], ["commit", "--message=All"]])
      await runCommand([...git, ...words], { cwd: this.#folder });
    writeFileSync(join(this.#folder, added), "");
  }

  /** As the files of a clone under a strict umask are. */
  closeToOthers(): void {
    for (const name of ["CHANGELOG.md", "tugtalk/examples/chat.mjs"])
      chmodSync(join(this.#folder, name), 0o600);
  }

  /** `npm run release` with these words. */
  run(...words: readonly string[]): Promise<EndedCommand> {
    const command = [process.execPath, ".ci/release.ts", ...words];
    return runCommand(command, { cwd: this.#folder });
  }

  build(...words: readonly string[]): Promise<EndedCommand> {
    return this.run(`--only=${OWN_PLATFORM}`, ...words);
  }
}

/** A bundle names the path of a package, so they are in each copy: as links to the same bytes, where that is possible. */
async function copyPackages(folder: string): Promise<void> {
  const [from, to] = [join(ROOT, "node_modules"), join(folder, "node_modules")];
  const linked = await runCommand(["cp", "--archive", "--link", from, to]);
  if (linked.code === 0) return;
  const copied = await runCommand(["cp", "--archive", from, folder]);
  if (copied.code !== 0) throw new Error(copied.err);
}
