/**
 * The search for the program: the Bun that this package depends on with the bundle, the sources, or the
 * binary. Used by the launcher and by `spawnTugtalk`, on Node and on Bun.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { devNull } from "node:os";
import { dirname, join } from "node:path";
import { START_MARK } from "./start-mark.ts";

/** The command of tugtalk, without its flags; `env` is added to the environment. */
export type Program = {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

/** Throws an error of one line if there is no program. */
export function findProgram(): Program {
  if (process.env[START_MARK] !== undefined)
    throw new Error(`${process.argv[1]} was started in place of tugtalk, and would start itself`);
  return { command: findCommand(), env: { [START_MARK]: "1" } };
}

/**
 * The program in the package by its name, not beside this file. A host may have this code in a bundle of its
 * own, whose file could have the name of ours. Then it would start itself.
 */
function findCommand(): readonly string[] {
  const manifest = resolve("tugtalk/package.json", createRequire(import.meta.url));
  if (manifest === undefined)
    throw new Error("the package tugtalk is missing: run npm install tugtalk");
  const root = dirname(manifest);
  const script = join(root, import.meta.url.endsWith(".ts") ? "tugtalk/cli.ts" : "dist/cli.js");
  const bun = findBun(createRequire(manifest));
  if (bun !== undefined && existsSync(script)) return [bun, ...ISOLATED, script];
  const binary = join(root, "dist", process.platform === "win32" ? "tugtalk.exe" : "tugtalk");
  if (existsSync(binary)) return [binary];
  if (bun === undefined) throw new Error("Bun is missing: run npm install bun");
  throw new Error(`${script} is missing: run npm install tugtalk, or npm run build in its sources`);
}

/**
 * Bun reads files of the current folder, which is the user's project. `.env` would give Claude other
 * credentials, and `bunfig.toml` can run code. `tsconfig.json`, also of a folder above, can put
 * another file in place of our program.
 */
const ISOLATED = ["--no-env-file", `--config=${devNull}`, `--tsconfig-override=${devNull}`];

function findBun(require: NodeJS.Require): string | undefined {
  return process.versions["bun"] === undefined ? installedBun(require) : process.execPath;
}

/** The Bun in the package `bun`. Without install scripts, the package has a text in its place. */
export function installedBun(requireHere: NodeJS.Require): string | undefined {
  const own = resolve("bun/package.json", requireHere);
  if (own === undefined) return undefined;
  const placed = join(dirname(own), "bin", "bun.exe");
  if (isExecutable(placed)) return placed;
  const require = createRequire(own);
  const exe = process.platform === "win32" ? "bun.exe" : "bun";
  return Object.keys(manifestAt(own).optionalDependencies ?? {})
    .map((name) => resolve(`${name}/package.json`, require))
    .filter((path) => path !== undefined)
    .filter((path) => fitsHere(manifestAt(path)))
    .map((path) => join(dirname(path), "bin", exe))
    .find(isExecutable);
}

/** The used fields of a `package.json`. */
type Manifest = {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
};

function manifestAt(path: string): Manifest {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Whether a package with Bun is for this machine. Not every package manager leaves out the others. */
function fitsHere({ os, cpu, libc }: Manifest): boolean {
  return (
    os?.includes(process.platform) !== false &&
    cpu?.includes(process.arch) !== false &&
    libc?.includes(isMusl() ? "musl" : "glibc") !== false
  );
}

function resolve(name: string, require: NodeJS.Require): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    // The package is not installed.
    return undefined;
  }
}

/** Bun is some 100 MB, the text in its place less than 1 kB. */
const MIN_BUN_BYTES = 1_000_000;

function isExecutable(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MIN_BUN_BYTES;
}

/** Only Linux has both; the report of Node names the glibc that it runs with. */
function isMusl(): boolean {
  if (process.platform !== "linux") return false;
  const { report }: { report: { excludeNetwork?: boolean | undefined; getReport: () => object } } =
    process;
  const { excludeNetwork } = report;
  // Otherwise the report would look up the names of all connected hosts.
  report.excludeNetwork = true;
  const { header = {} }: { header?: object } = report.getReport();
  report.excludeNetwork = excludeNetwork;
  return !("glibcVersionRuntime" in header);
}
