/**
 * The id of the last conversation of a folder, which one bridge writes and a later one resumes. Each folder
 * has a small file of its own, so that bridges of different folders never write the same one.
 */
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { fieldsOf, parseJson } from "../base/json.ts";
import { isLowerUuid } from "../base/plain-value.ts";
import { replaceFile } from "../base/replace-file.ts";
import { defaultStateFolder } from "./state-folder.ts";

/** The id that was written last; undefined where there is none or its file is not readable. */
export async function readLastSession(
  directory: string,
  stateFolder?: string,
): Promise<string | undefined> {
  const path = await realpath(directory).catch(() => undefined);
  if (path === undefined) return undefined;
  const text = await readFile(fileOf(path, stateFolder), "utf8").catch(() => "");
  const { directory: named, session_id } = fieldsOf(parseJson(text));
  return named === path && isLowerUuid(session_id) ? session_id : undefined;
}

/** Rejects where the file cannot be written. */
export async function writeLastSession(
  directory: string,
  session_id: string,
  stateFolder?: string,
): Promise<void> {
  const path = await realpath(directory);
  const text = `${JSON.stringify({ directory: path, session_id })}\n`;
  await replaceFile(fileOf(path, stateFolder), text);
}

/** Named by a hash, since a path can be longer than a file name may be. */
function fileOf(path: string, stateFolder = defaultStateFolder(process.env)): string {
  const name = new Bun.CryptoHasher("sha256").update(path).digest("hex").slice(0, 32);
  return join(stateFolder, "last", `${name}.json`);
}
