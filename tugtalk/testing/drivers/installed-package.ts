/** Packages of npm that are no dependencies: each version is installed once, into the ignored cache. */
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "./ended-command.ts";

/** The ignored folder of everything that is fetched or made once for tests. */
export const CACHE = join(import.meta.dir, "..", "..", "..", ".cache");

/** The folder of the installed package, and the `node_modules` that it is in. Needs the registry once. */
export async function installPackage(name: string, version: string, flags: readonly string[] = []) {
  const folder = join(CACHE, "npm", `${name.replace("/", "-")}-${version}`);
  if (!existsSync(folder)) await install(`${name}@${version}`, folder, flags);
  const modules = join(folder, "node_modules");
  return { modules, path: join(modules, name) };
}

/**
 * Installs beside the folder, so that one of this name is complete. Of two processes that install at
 * once, the first to finish wins.
 */
async function install(wanted: string, folder: string, flags: readonly string[]): Promise<void> {
  const draft = `${folder}.${crypto.randomUUID()}`;
  await mkdir(draft, { recursive: true });
  try {
    await runNpm(["install", "--prefix", draft, ...FLAGS, ...flags, wanted]);
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const FLAGS = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

/** The output of npm. */
export async function runNpm(args: readonly string[]): Promise<string> {
  const { code, out, err } = await runCommand(["npm", ...args]);
  if (code === 0) return out;
  const problem = `npm ${args.join(" ")} ended with ${code}; is the npm registry reachable?`;
  throw new Error(`${problem}\n${err.slice(-2000)}`);
}
