/**
 * The last conversation of a folder, kept on disk from one bridge to the next: for the host that asks
 * for it, and for nobody else. One small file for each folder, so that two bridges never write the same
 * one for different folders; replaced as a whole, so that a reader never sees half of it.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { z } from "zod";
import { parseJson } from "../base/json.ts";
import { SerialQueue } from "../base/serial-queue.ts";

/** What a file holds. */
const Entry = z.object({
  /** The real path of the folder. */
  directory: z.string(),
  session_id: z.uuid(),
  /** ISO 8601. */
  written_at: z.string(),
});

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the files are unless the command line says otherwise: outside of every project. */
export function defaultStateFolder(env: Environment): string {
  const base = env["XDG_STATE_HOME"];
  const isUsable = base !== undefined && isAbsolute(base);
  return join(isUsable ? base : join(homedir(), ".local", "state"), "tugtalk");
}

export class LastSession {
  readonly #stateFolder: string;
  readonly #directory: string;
  readonly #onFault: (words: string) => void;
  readonly #writes = new SerialQueue();

  /** `onFault` is told why an id could not be kept, which is no reason to disturb the session. */
  constructor(stateFolder: string, directory: string, onFault: (words: string) => void) {
    this.#stateFolder = stateFolder;
    this.#directory = directory;
    this.#onFault = onFault;
  }

  /** The id that was kept last; nothing where none was, or where the file cannot be read. */
  async read(): Promise<string | undefined> {
    await this.#writes.settled();
    const directory = await realpath(this.#directory).catch(() => undefined);
    if (directory === undefined) return undefined;
    const text = await readFile(this.#pathFor(directory), "utf8").catch(() => "");
    const entry = Entry.safeParse(parseJson(text));
    return entry.success && entry.data.directory === directory ? entry.data.session_id : undefined;
  }

  /** Keeps an id. Returns at once; `settled` resolves when it is on disk. */
  keep(sessionId: string): void {
    this.#writes.add(
      () => this.#write(sessionId),
      (cause) => this.#onFault(`cannot keep the id of the session: ${cause}`),
    );
  }

  /** Resolves when what is to be kept is kept. */
  settled(): Promise<void> {
    return this.#writes.settled();
  }

  async #write(session_id: string): Promise<void> {
    const directory = await realpath(this.#directory);
    const path = this.#pathFor(directory);
    const entry: z.infer<typeof Entry> = {
      directory,
      session_id,
      written_at: new Date().toISOString(),
    };
    await mkdir(join(this.#stateFolder, "last"), { recursive: true, mode: 0o700 });
    const draft = `${path}.${crypto.randomUUID()}`;
    try {
      await writeFile(draft, `${JSON.stringify(entry)}\n`, { mode: 0o600, flag: "wx" });
      await rename(draft, path);
    } catch (cause) {
      await rm(draft, { force: true });
      throw cause;
    }
  }

  /** A path can be longer than a file name may be. */
  #pathFor(directory: string): string {
    const name = createHash("sha256").update(directory).digest("hex").slice(0, 32);
    return join(this.#stateFolder, "last", `${name}.json`);
  }
}
