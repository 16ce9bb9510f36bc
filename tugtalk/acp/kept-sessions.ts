/**
 * Sessions whose id alone does not lead to their transcript: they were never begun, or `/clear` or a fork has
 * led them to another conversation. Each has a small file, which outlives the process.
 */
import { join } from "node:path";
import { fieldsOf, parseJson } from "../src/base/json.ts";
import { isLowerUuid } from "../src/base/plain-value.ts";
import type { ResumePoint } from "../src/messages/history-messages.ts";

/** The limits for files of sessions that were never begun. Claude keeps a transcript for as many days. */
const [KEPT_DAYS, KEPT_FILES] = [30, 1000];
const DAY_MS = 24 * 60 * 60 * 1000;

export type Kept = {
  /** The conversations of a session, at least one, the newest last. */
  readonly conversations: readonly string[];
  /** The conversation that it is a copy of, while it has no transcript of its own. */
  readonly forked_from?: string | undefined;
  /** The end of that conversation when the copy was made. */
  readonly forked_at?: ResumePoint | undefined;
};

export class KeptSessions {
  readonly #folder: string;

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, "acp");
  }

  /** Undefined where the session has the id of its transcript. */
  async read(sessionId: string): Promise<Kept | undefined> {
    const { readFile } = disk();
    const text = await readFile(this.#fileOf(sessionId), "utf8").catch(() => "");
    return keptIn(parseJson(text));
  }

  /** The sessions with several conversations, by their id. */
  async moved(): Promise<ReadonlyMap<string, Kept>> {
    const found = new Map<string, Kept>();
    for (const id of await this.#ids()) {
      const kept = await this.read(id);
      if (kept !== undefined && kept.conversations.length > 1) found.set(id, kept);
    }
    return found;
  }

  /**
   * Removes the files of sessions that were never begun and are old, or older than many others. A file that
   * leads to another conversation stays: its transcript may be in another configuration folder of Claude's.
   */
  async prune(): Promise<void> {
    const { stat } = disk();
    const files: { readonly id: string; readonly at: number }[] = [];
    for (const id of await this.#ids()) {
      const { mtimeMs: at = 0 } = (await stat(this.#fileOf(id)).catch(() => undefined)) ?? {};
      files.push({ id, at });
    }
    files.sort((one, other) => other.at - one.at);
    const oldest = Date.now() - KEPT_DAYS * DAY_MS;
    for (const [place, { id, at }] of files.entries()) {
      if (place < KEPT_FILES && at > oldest) continue;
      const { conversations = [], forked_from } = (await this.read(id)) ?? {};
      if (conversations.length <= 1 && forked_from === undefined) await this.remove(id);
    }
  }

  async #ids(): Promise<string[]> {
    const { readdir } = disk();
    const names = await readdir(this.#folder).catch(() => []);
    return names.flatMap((name) => /^([0-9a-f-]{36})\.json$/.exec(name)?.[1] ?? []);
  }

  /** The first file of a session: nobody knows its id, so that nobody reads half of it. */
  async create(sessionId: string, kept: Kept): Promise<void> {
    const isMade = await makeFile(this.#fileOf(sessionId), textOf(kept));
    if (!isMade) await this.write(sessionId, kept);
  }

  async write(sessionId: string, kept: Kept): Promise<void> {
    const { replaceFile } = await import("../src/base/replace-file.ts");
    await replaceFile(this.#fileOf(sessionId), textOf(kept));
  }

  remove(sessionId: string): Promise<void> {
    return disk().rm(this.#fileOf(sessionId), { force: true });
  }

  /** Only for an id that was checked. */
  #fileOf(sessionId: string): string {
    return join(this.#folder, `${sessionId}.json`);
  }
}

/** Loaded only here, since an import slows the start of an agent. */
function disk() {
  return process.getBuiltinModule("node:fs/promises");
}

/**
 * Makes a file in a folder that is there, for this user alone; false where that fails. The start of a
 * session waits for it, and would longer for `node:fs` to load.
 */
async function makeFile(path: string, text: string): Promise<boolean> {
  try {
    await withMask(0o077, () => Bun.write(path, text, { createPath: false }));
    return true;
  } catch {
    return false;
  }
}

/** Runs `make` with this umask for the files that it creates. */
function withMask<Result>(mask: number, make: () => Result): Result {
  const usual = process.umask(mask);
  try {
    return make();
  } finally {
    process.umask(usual);
  }
}

function textOf(kept: Kept): string {
  return `${JSON.stringify(kept)}\n`;
}

/** Undefined for a file with any other content. */
function keptIn(value: unknown): Kept | undefined {
  const { conversations, forked_from, forked_at } = fieldsOf(value);
  if (!Array.isArray(conversations) || conversations.length === 0) return undefined;
  if (!conversations.every(isLowerUuid)) return undefined;
  if (forked_from === undefined) return { conversations };
  if (!isLowerUuid(forked_from)) return undefined;
  return { conversations, forked_from, forked_at: pointIn(forked_at) };
}

function pointIn(value: unknown): ResumePoint | undefined {
  const { at, bytes } = fieldsOf(value);
  if (!Number.isSafeInteger(bytes)) return undefined;
  return { at: isLowerUuid(at) ? at : undefined, bytes: Number(bytes) };
}

/** The conversation that has the messages of a session. `end` is the end of the part that belongs to it. */
export type Source = { readonly id: string; readonly end?: ResumePoint | undefined };

export function sourceOf({ conversations, forked_from: id, forked_at: end }: Kept): Source {
  return id === undefined ? { id: conversations.at(-1) ?? "" } : { id, end };
}
