/** Files for values that must not be on Claude's command line, which every user of the machine can read. */
import { join } from "node:path";
import { makePrivateFolder } from "../base/private-folders.ts";

export class SecretFiles {
  #folder: string | undefined;

  /** Writes or replaces a file; returns its path. Throws where the disk fails. */
  write(name: string, text: string): string {
    const { existsSync, writeFileSync } = nodeFs();
    // The system may delete temporary folders during a session of several days.
    if (this.#folder === undefined || !existsSync(this.#folder)) this.#folder = makePrivateFolder();
    const path = join(this.#folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  /** Deletes all of them. */
  remove(): void {
    if (this.#folder !== undefined) nodeFs().rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}

/** Loaded for the first file: most sessions have none. */
function nodeFs() {
  return process.getBuiltinModule("node:fs");
}
