/** Reads a file that comes with a folder, of any kind and size. */
import { readFile, stat } from "node:fs/promises";
import { type Fields, objectOf, parseJson } from "../../client/claude-value.ts";

/** A file that was read, with its path. */
export type ConfigFile = { readonly fields: Fields; readonly source: string };

const MAX_BYTES = 1024 * 1024;

/** The object in a file of JSON. Unreadable: it is no file, too large, or has other content. */
export async function readJsonFile(path: string): Promise<Fields | "absent" | "unreadable"> {
  const text = await readText(path);
  if (text === undefined) return "absent";
  return objectOf(parseJson(text)) ?? "unreadable";
}

/** The text of a file. Undefined: there is none. Null: it cannot be read. */
export async function readText(path: string): Promise<string | null | undefined> {
  try {
    const found = await stat(path);
    // A read of a pipe would never end.
    if (!found.isFile() || found.size > MAX_BYTES) return null;
    return (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
  } catch (error) {
    return isAbsent(error) ? undefined : null;
  }
}

/** Whether the error says that the name does not exist. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^ENO(ENT|TDIR)$/.test(`${error.code}`);
}
