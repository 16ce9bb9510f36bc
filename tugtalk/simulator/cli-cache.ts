/**
 * Real `claude` CLIs on disk: installs a version once from the npm registry and returns the command that
 * starts it. Their temporary home is in isolated-home.ts.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Where the CLIs are kept between runs; the folder is ignored by git. */
export const CACHE_FOLDER = join(import.meta.dir, "..", "..", ".cache", "claude");

/** After this time an unfinished install is abandoned and removed. */
const ABANDONED_AFTER_MS = 3_600_000;
const PACKAGE = "@anthropic-ai/claude-code";
const FINISHED = "installed";

const installs = new Map<string, Promise<readonly string[]>>();

/**
 * The command (executable and first arguments) that starts this version of `claude`.
 * The first call installs it, which needs the registry; without one it throws and says what to do.
 */
export function claudeCommand(version: string, cacheFolder = CACHE_FOLDER): Promise<string[]> {
  const folder = join(cacheFolder, version);
  const known = installs.get(folder) ?? findOrInstall(version, folder);
  installs.set(folder, known);
  // A failure is not remembered: the registry may be back at the next call.
  known.catch(() => installs.delete(folder));
  return known.then((command) => [...command]);
}

async function findOrInstall(version: string, folder: string): Promise<readonly string[]> {
  if (!existsSync(join(folder, FINISHED))) await install(version, folder);
  return startCommand(version, folder);
}

/**
 * Installs beside the target and renames at the end, so a folder of the final name is complete.
 * Of two processes that install at once, the first to finish wins and the other drops its copy.
 */
async function install(version: string, folder: string): Promise<void> {
  await sweepAbandoned(join(folder, ".."));
  const draft = `${folder}.${process.pid}-${crypto.randomUUID()}.tmp`;
  await mkdir(draft, { recursive: true });
  try {
    await runNpm(version, draft);
    await writeFile(join(draft, FINISHED), `${version}\n`);
    await moveUnlessThere(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function moveUnlessThere(draft: string, folder: string): Promise<void> {
  try {
    await rename(draft, folder);
  } catch (cause) {
    if (!existsSync(join(folder, FINISHED))) {
      throw new Error(`cannot move the installed claude to ${folder}; remove that folder`, {
        cause,
      });
    }
  }
}

async function sweepAbandoned(cacheFolder: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  for (const name of await readdir(cacheFolder)) {
    const path = join(cacheFolder, name);
    if (name.endsWith(".tmp") && (await isAbandoned(path))) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  // Another process may have finished and removed it since the folder was read.
  const changedMs = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
  return Date.now() - changedMs > ABANDONED_AFTER_MS;
}

async function runNpm(version: string, prefix: string): Promise<void> {
  const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const command = ["npm", "install", "--prefix", prefix, ...flags, `${PACKAGE}@${version}`];
  const { exitCode, output } = await runToEnd(command);
  if (exitCode === 0) return;
  throw new Error(
    [
      `cannot install claude ${version}: \`${command.join(" ")}\` failed (exit ${exitCode}).`,
      "The real-CLI tests need the npm registry once for each version;",
      "make the registry reachable (see `npm config get registry`) and run again.",
      output.slice(-2000),
    ].join("\n"),
  );
}

async function runToEnd(command: string[]): Promise<{ exitCode: number; output: string }> {
  try {
    const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const texts = await Promise.all([readText(child.stdout), readText(child.stderr)]);
    return { exitCode: await child.exited, output: texts.join("\n").trim() };
  } catch (error) {
    // `npm` itself is missing: the shell's exit code for that.
    return { exitCode: 127, output: String(error) };
  }
}

function readText(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

function startCommand(version: string, folder: string): readonly string[] {
  const modules = join(folder, "node_modules");
  const binary = binaryCandidates().find((name) => existsSync(join(modules, name)));
  if (binary !== undefined) return [join(modules, binary)];

  const script = join(modules, PACKAGE, "cli.js");
  if (existsSync(script)) return [nodePath(version), script];
  throw new Error(
    `claude ${version} has no build for ${process.platform}-${process.arch} in ${folder}; remove that folder and install again`,
  );
}

/** npm installs the platform package whose `libc` fits, so at most one of these is there. */
function binaryCandidates(): string[] {
  const file = process.platform === "win32" ? "claude.exe" : "claude";
  const platform = `${PACKAGE}-${process.platform}-${process.arch}`;
  return [join(platform, file), join(`${platform}-musl`, file)];
}

function nodePath(version: string): string {
  const node = Bun.which("node");
  if (node === null) throw new Error(`claude ${version} runs on node, which is not on PATH`);
  return node;
}
