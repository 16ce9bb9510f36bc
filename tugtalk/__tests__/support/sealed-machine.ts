/**
 * A machine with Node only on which this clone is out of reach, and each file that a command opens is
 * recorded. Needs Linux: a mount namespace with an empty folder in place of the clone, and `strace`. Where
 * the user may not make one, as in a container without the right to mount, it throws and says so.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { killGroup } from "../../src/base/processes.ts";
import { Printed } from "../../testing/drivers/process-output.ts";
import { NodeOnlyMachine, type Outcome, REPOSITORY, systemPath } from "./node-only.ts";

/** The folders of the system: its libraries, its devices and its files about processes. */
const SYSTEM = ["/usr", "/lib", "/lib64", "/bin", "/etc", "/proc", "/dev", "/sys", "/run"];

/** `$0` is an empty folder, `$1` the clone. */
const HIDE = 'mount --bind "$0" "$1" && shift && exec "$@"';

/** A started command. */
export type SealedCommand = {
  readonly pid: number;
  readonly printed: Printed;
  readonly ended: Promise<Outcome>;
  /** Signals its process group, as a terminal does. */
  readonly kill: (signal: NodeJS.Signals) => void;
};

/** How a command is started; its input is empty unless it is given. */
export type SealedOptions = {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Only hides the clone: a command that opens very many files is not slowed down. */
  readonly isUntraced?: boolean;
};

export class SealedMachine extends NodeOnlyMachine {
  /** Everything that commands here may write. */
  readonly home = this.env["HOME"] ?? "";
  readonly #empty = mkdtempSync(join(this.home, "empty-"));
  readonly #traces = mkdtempSync(join(this.home, "traces-"));

  constructor() {
    super();
    for (const name of ["tmp", "project"]) mkdirSync(join(this.home, name));
    const [file = "", ...words] = this.#hidden(["/bin/ls", REPOSITORY]);
    const { stdout, stderr, success } = Bun.spawnSync([file, ...words], { cwd: this.home });
    if (success && stdout.length === 0) return;
    throw new Error(
      `the clone cannot be hidden here; run as root, or where users may make namespaces: ${stderr}`,
    );
  }

  /** The folder in which commands run unless another one is named. */
  get project(): string {
    return join(this.home, "project");
  }

  start(words: readonly string[], options: SealedOptions = {}): SealedCommand {
    const { input = "", env, cwd = this.project, isUntraced = false } = options;
    const child = Bun.spawn(this.#hidden(isUntraced ? words : this.#traced(words)), {
      stdio: [Buffer.from(input), "pipe", "pipe"],
      detached: true,
      cwd,
      env: { ...this.env, TMPDIR: join(this.home, "tmp"), ...env },
    });
    const printed = new Printed(child.stdout);
    const ended = Promise.all([
      printed.whole,
      new Response(child.stderr).text(),
      child.exited,
    ]).then(([stdout, stderr, code]) => ({ stdout, stderr, code }));
    return { pid: child.pid, printed, ended, kill: (signal) => killGroup(child.pid, signal) };
  }

  /** The files outside the installation and the system that the traced commands opened, or looked for in the clone. */
  openedOutside(): readonly string[] {
    const node = dirname(dirname(realpathSync(systemPath("node"))));
    const allowed = [...SYSTEM, this.home, node];
    const lines = readdirSync(this.#traces).flatMap((name) =>
      readFileSync(join(this.#traces, name), "utf8").split("\n"),
    );
    const inClone = lines.filter((line) => line.includes(`"${REPOSITORY}/`));
    const opened = lines.flatMap(openedPath);
    if (opened.length === 0) throw new Error("no file was recorded");
    const outside = opened.filter((path) => !allowed.some((folder) => isIn(path, folder)));
    return [...new Set([...inClone, ...outside])];
  }

  #hidden(words: readonly string[]): string[] {
    const user = process.getuid?.() === 0 ? [] : ["--map-root-user"];
    const namespace = [systemPath("unshare"), "--mount", ...user];
    const shell = ["/bin/sh", "-c", HIDE.replace("mount", systemPath("mount"))];
    return [...namespace, ...shell, this.#empty, REPOSITORY, ...words];
  }

  #traced(words: readonly string[]): string[] {
    const file = join(this.#traces, crypto.randomUUID());
    const flags = ["-ff", "-y", "-qq", "--seccomp-bpf", "-s", "4096", "-e", "signal=none"];
    return [systemPath("strace"), ...flags, "-e", "trace=%file", "-o", file, "--", ...words];
  }
}

/** The path of a file that a line of `strace -y` opens or runs. A folder on the way to one is none. */
function openedPath(line: string): string[] {
  const [, run] = /\bexecve\("([^"]+)"/.exec(line) ?? [];
  if (run !== undefined && !line.includes(" = -1 ")) return [run];
  const [, opened] = /\) += \d+<([^>]+)>$/.exec(line) ?? [];
  return opened === undefined || line.includes("O_DIRECTORY") ? [] : [opened];
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
