/** A machine with Node and npm and nothing else: the package is packed, installed and run on it. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The clone that this file is in. */
export const REPOSITORY = resolve(import.meta.dir, "../../..");

/** The single binary, which `pack` builds too. */
export const BINARY = join(REPOSITORY, "dist/tugtalk");

/** The commands that npm and its scripts need beside Node. */
const COMMANDS = ["node", "npm", "npx", "sh", "env", "uname", "dirname", "readlink", "sed"];

/** The output of a command, and its end. */
export type Outcome = {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
};

/** One for all machines: to pack is to build everything. */
let packedPath: Promise<string> | undefined;

/** Everything of it is in one folder, which is the home of its user. */
export class NodeOnlyMachine {
  readonly #folder = mkdtempSync(join(tmpdir(), "tugtalk-package-"));
  /** The environment of a user: the PATH has Node and npm, and nothing that this project installed. */
  readonly env: Record<string, string>;

  constructor() {
    const bin = join(this.#folder, "bin");
    mkdirSync(bin);
    for (const name of COMMANDS) symlinkSync(realpathSync(systemPath(name)), join(bin, name));
    const { TMPDIR = this.#folder } = process.env;
    this.env = { PATH: bin, HOME: this.#folder, TMPDIR };
  }

  /** Runs a command of this machine to its end. */
  async run(cwd: string, ...words: readonly string[]): Promise<Outcome> {
    return this.#run(words, { cwd, env: this.env });
  }

  /** Runs npm with the settings and the cache of the developer, which may have another registry. */
  async #npm(cwd: string, ...words: readonly string[]): Promise<Outcome> {
    const { HOME } = process.env;
    return this.#run(["npm", ...words], { cwd, env: { ...this.env, ...(HOME && { HOME }) } });
  }

  async #run(
    [command = "", ...args]: readonly string[],
    options: { readonly cwd: string; readonly env: Record<string, string> },
  ): Promise<Outcome> {
    const child = Bun.spawn([join(this.#folder, "bin", command), ...args], {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { stdout, stderr, code };
  }

  /** The path of the packed package, built from the sources of this repository. */
  pack(): Promise<string> {
    packedPath ??= this.#pack();
    return packedPath;
  }

  async #pack(): Promise<string> {
    const packed = await this.#npm(REPOSITORY, "pack", "--pack-destination", this.#folder);
    const path = join(this.#folder, packed.stdout.trim().split("\n").at(-1) ?? "");
    if (packed.code !== 0 || !existsSync(path)) throw new Error(`npm pack: ${packed.stderr}`);
    return path;
  }

  /** A folder in which the package is installed, with or without the install script of Bun. */
  async install(tarball: string, name: string, hasScripts: boolean): Promise<string> {
    const folder = join(this.#folder, name);
    mkdirSync(folder);
    // Newer versions of npm run only the scripts that the project allows.
    const allowScripts = { bun: hasScripts };
    const manifest = { private: true, type: "module", allowScripts };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    const flags = [
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      `--ignore-scripts=${!hasScripts}`,
    ];
    const installed = await this.#npm(folder, "install", ...flags, tarball);
    if (installed.code !== 0) throw new Error(`npm install: ${installed.stderr}`);
    return folder;
  }
}

/** Where the system has a command, not where this project has it. */
export function systemPath(name: string): string {
  const folders = (process.env["PATH"] ?? "").split(":");
  const path = folders.filter((folder) => !folder.includes("node_modules")).join(":");
  const found = Bun.which(name, { PATH: path });
  if (found === null) throw new Error(`no ${name} on PATH`);
  return found;
}

/** Gives a folder the compiler and the types of Node, as a host in TypeScript has them. */
export function addTypeScript(folder: string): string {
  const compiler = join(REPOSITORY, "node_modules/typescript");
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  symlinkSync(
    join(REPOSITORY, "node_modules/@types/node"),
    join(folder, "node_modules/@types/node"),
  );
  return join(compiler, "bin/tsc");
}
