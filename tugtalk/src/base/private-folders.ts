/**
 * Temporary folders for secrets. Each has the id of its process in its name, so that a later process can
 * remove the folders of processes that were killed.
 */
import { join } from "node:path";
import { isRunning } from "./processes.ts";

/** The id of the process and the number of its space of ids, followed by random letters. */
const NAME = /^tugtalk-(\d+)\.(\d+)-/;

/** Makes a folder that only this user can read, and gives its path. Throws where the disk fails. */
export function makePrivateFolder(): string {
  return fs().mkdtempSync(join(os().tmpdir(), `tugtalk-${process.pid}.${processSpace()}-`));
}

/** Files for values that must not be on Claude's command line, which every user of the machine can read. */
export class SecretFiles {
  #folder: string | undefined;

  /** Writes or replaces a file; returns its path. Throws where the disk fails. */
  write(name: string, text: string): string {
    // The system may delete temporary folders during a session of several days.
    if (this.#folder === undefined || !fs().existsSync(this.#folder))
      this.#folder = makePrivateFolder();
    const path = join(this.#folder, name);
    fs().writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  /** Deletes all of them. */
  remove(): void {
    if (this.#folder !== undefined) fs().rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}

/** Removes the folders of processes of this user that have ended. */
export function removeLeftFolders(): void {
  const root = os().tmpdir();
  for (const name of namesIn(root)) {
    const [, pid, space] = NAME.exec(name) ?? [];
    if (pid === undefined || space !== processSpace()) continue;
    if (!isRunning(Number(pid))) removeOwn(join(root, name));
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs().readdirSync(folder);
  } catch {
    return []; // It may be writable only.
  }
}

function removeOwn(folder: string): void {
  try {
    const stat = fs().lstatSync(folder);
    if (!stat.isDirectory() || stat.uid !== process.getuid?.()) return;
    fs().rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another start has removed it.
  }
}

/** Ids of processes mean nothing in another container. */
function processSpace(): string {
  try {
    return /\d+/.exec(fs().readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0"; // The system has no such file.
  }
}

/** Loaded when they are needed: a bridge starts without them. */
function fs() {
  return process.getBuiltinModule("node:fs");
}

function os() {
  return process.getBuiltinModule("node:os");
}
