/**
 * Temporary folders for secrets. Each has the name of its process, so that a later one can remove what a
 * process that was killed has left.
 */
import { join } from "node:path";

/** Followed by random letters. */
const NAME = /^tugtalk-(\d+)\.(\d+)\.(\d+)-/;

/** Makes a folder that only this user can read, and gives its path. Throws where the disk fails. */
export function makePrivateFolder(): string {
  const { pid } = process;
  return fs().mkdtempSync(join(os().tmpdir(), `tugtalk-${pid}.${startOf(pid)}.${processSpace()}-`));
}

/** Removes the folders of processes of this user that have ended. */
export function removeLeftFolders(): void {
  const root = os().tmpdir();
  for (const name of namesIn(root)) {
    const [, pid, start, space] = NAME.exec(name) ?? [];
    if (pid === undefined || space !== processSpace()) continue;
    if (!runs(Number(pid), start)) removeOwn(join(root, name));
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs().readdirSync(folder);
  } catch {
    return []; // It may be writable only.
  }
}

function runs(pid: number, start: string | undefined): boolean {
  try {
    // 0 where the system does not tell.
    return process.kill(pid, 0) && [start, "0"].includes(startOf(pid));
  } catch (error) {
    // The process of another user, which has the id of ours.
    return error instanceof Error && "code" in error && error.code === "EPERM" && start === "0";
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

/** When it started, in ticks since the start of the machine; 0 where the system does not tell. */
function startOf(pid: number): string {
  const stat = textOf(() => fs().readFileSync(`/proc/${pid}/stat`, "utf8"));
  // After the name of the program, which is in parentheses and may have some. A zombie has ended.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? "ended" : (fields[19] ?? "0");
}

/** Ids of processes mean nothing in another container. */
function processSpace(): string {
  return /\d+/.exec(textOf(() => fs().readlinkSync("/proc/self/ns/pid")))?.[0] ?? "0";
}

/** Empty where the system has no such file. */
function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

/** Loaded when they are needed: a bridge starts without them. */
function fs() {
  return process.getBuiltinModule("node:fs");
}

function os() {
  return process.getBuiltinModule("node:os");
}
