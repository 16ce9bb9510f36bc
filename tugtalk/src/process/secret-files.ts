/**
 * Files that only Claude is to read: what would otherwise stand on its command line, where every user
 * of the machine sees it.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";

export class SecretFiles {
  readonly #fs = process.getBuiltinModule("node:fs");
  #folder: string | undefined;

  /** Writes a file, in place of an earlier one of the same name; gives its path. Throws what the disk says. */
  write(name: string, text: string): string {
    const { existsSync, mkdtempSync, writeFileSync } = this.#fs;
    // A folder of temporary files may be swept while a session lasts for days.
    if (this.#folder === undefined || !existsSync(this.#folder))
      this.#folder = mkdtempSync(join(tmpdir(), "tugtalk-"));
    const path = join(this.#folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  /** Deletes all of them. */
  remove(): void {
    if (this.#folder !== undefined) this.#fs.rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}
