/**
 * The source files of this project and what they import, read from their text, so that imports of
 * types count too. Tests and what only tests use are left out.
 */
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** The folder that paths are relative to: `tugtalk`. */
export const ROOT = join(import.meta.dir, "..", "..");

/** One import between two files, as paths from `ROOT`. */
export type Import = { readonly from: string; readonly to: string; readonly isType: boolean };

const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[^;"]*?\sfrom\s+)?"([^"]+)"/gm;
const CALL = /\bimport\("([^"]+)"\)/g;

/** Every source file, as a path from `ROOT`. */
export const FILES: readonly string[] = [...new Bun.Glob("**/*.ts").scanSync(ROOT)]
  .filter((path) => !path.includes("__tests__/") && !path.startsWith("testing/"))
  .sort();

/** The imports among these files. */
export const IMPORTS: readonly Import[] = FILES.flatMap(importsOf);

/** What one file imports, packages included. */
export function specifiersOf(path: string): { readonly to: string; readonly isType: boolean }[] {
  const text = readFileSync(join(ROOT, path), "utf8");
  const statements = [...text.matchAll(STATEMENT)].map(([, type, to = ""]) => ({
    to,
    isType: type !== undefined,
  }));
  const calls = [...text.matchAll(CALL)].map(([, to = ""]) => ({ to, isType: false }));
  return [...statements, ...calls];
}

function importsOf(path: string): Import[] {
  return specifiersOf(path)
    .filter(({ to }) => to.startsWith(".") && to.endsWith(".ts"))
    .map(({ to, isType }) => ({ from: path, to: normalize(join(dirname(path), to)), isType }));
}

/** The files at the root of `src`, each with its room. */
const ROOMS_OF_ROOT_FILES: Readonly<Record<string, string>> = {
  "src/control.ts": "claude",
  "src/ipc.ts": "edge",
  "src/main.ts": "main",
  "src/permissions.ts": "run",
  "src/protocol-types.ts": "messages",
  "src/session.ts": "session",
  "src/types.ts": "messages",
  "src/web-components.ts": "messages",
};

/** The room of a file of `src` or of the host; for any other file, its folder. */
export function roomOf(path: string): string {
  const known = ROOMS_OF_ROOT_FILES[path];
  const [top = "", folder = "", ...inFolder] = path.split("/");
  if (known !== undefined) return known;
  if (top === "src") return folder;
  if (top === "host" && inFolder.length > 0) return `host/${folder}`;
  return path.includes("/") ? top : "cli";
}
