/**
 * The id of the last conversation of a folder, which one bridge writes and a later one resumes. Each folder
 * has a small file of its own, so that bridges of different folders never write the same one. A file is
 * replaced as a whole, so that a reader never sees half of it.
 */
import { mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { homeFolder } from "../base/home-folder.ts";
import { fieldsOf, parseJson } from "../base/json.ts";
import { isLowerUuid } from "../base/plain-value.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the files are by default: outside of every project. */
export function defaultStateFolder(env: Environment): string {
  const base = env["XDG_STATE_HOME"];
  const isUsable = base !== undefined && isAbsolute(base);
  return join(isUsable ? base : join(homeFolder(), ".local", "state"), "tugtalk");
}

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
  const file = fileOf(path, stateFolder);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${crypto.randomUUID()}`;
  try {
    await writeFile(draft, `${JSON.stringify({ directory: path, session_id })}\n`, {
      mode: 0o600,
      flag: "wx",
    });
    await rename(draft, file);
  } catch (cause) {
    await rm(draft, { force: true });
    throw cause;
  }
}

/** Named by a hash, since a path can be longer than a file name may be. */
function fileOf(path: string, stateFolder = defaultStateFolder(process.env)): string {
  const name = new Bun.CryptoHasher("sha256").update(path).digest("hex").slice(0, 32);
  return join(stateFolder, "last", `${name}.json`);
}
