/**
 * The source files of this project and their imports, read from their text, so that imports of types
 * count too. Tests and `testing` are left out.
 */
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** The folder that paths are relative to: `tugtalk`. */
export const ROOT = join(import.meta.dir, "..", "..");

/** One import between two files, as paths from `ROOT`. */
export type Import = Specifier & { readonly from: string };

/** The import of a statement or a call. */
export type Specifier = {
  readonly to: string;
  readonly isType: boolean;
  /** Not loaded with the file, but when the call runs. */
  readonly isCall: boolean;
};

const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[^;"]*?\sfrom\s+)?"([^"]+)"/gm;
const CALL = /\bimport\("([^"]+)"\)/g;

/** Every source file, as a path from `ROOT`. */
export const FILES: readonly string[] = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(ROOT)]
  .filter((path) => !path.includes("__tests__/") && !path.startsWith("testing/"))
  .sort();

/** The imports among these files. */
export const IMPORTS: readonly Import[] = FILES.flatMap(importsOf);

/** The imports of one file, packages included. */
export function specifiersOf(path: string): Specifier[] {
  const text = readFileSync(join(ROOT, path), "utf8");
  const statements = [...text.matchAll(STATEMENT)].map(([, type, to = ""]) => ({
    to,
    isType: type !== undefined,
    isCall: false,
  }));
  const calls = [...text.matchAll(CALL)].map(([, to = ""]) => ({
    to,
    isType: false,
    isCall: true,
  }));
  return [...statements, ...calls];
}

function importsOf(path: string): Import[] {
  return specifiersOf(path)
    .filter(({ to }) => to.startsWith(".") && /\.tsx?$/.test(to))
    .map(({ to, ...how }) => ({ from: path, to: normalize(join(dirname(path), to)), ...how }));
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
};

/** The room of a file of `src`, of the host or of the page; for any other file, its folder. */
export function roomOf(path: string): string {
  const known = ROOMS_OF_ROOT_FILES[path];
  const [top = "", folder = "", ...inFolder] = path.split("/");
  if (known !== undefined) return known;
  if (top === "src") return folder;
  if (["host", "web"].includes(top) && inFolder.length > 0) return `${top}/${folder}`;
  return path.includes("/") ? top : "cli";
}
