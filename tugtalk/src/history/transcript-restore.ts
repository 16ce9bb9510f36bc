/**
 * Writes a conversation to where Claude looks for it. Its lines come in parts, which are collected in a
 * folder beside its place; with the last part all files are put in place, or none. Contract: Transcripts.
 */
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isRunning } from "../base/processes.ts";
import type { TranscriptRestore } from "../messages/transcript-messages.ts";
import type { OutboundDraft } from "../types.ts";
import { placeFiles } from "./placed-files.ts";
import { RestoreError } from "./restore-error.ts";
import { StagedFile } from "./staged-file.ts";
import { isFileOf, mainFileOf } from "./transcript-names.ts";

type Result = Extract<OutboundDraft, { type: "transcript_restore_result" }>;

/** Finds the folder of transcripts; rejects where the folder of the project does not exist. */
type FindFolder = (request: TranscriptRestore) => Promise<string>;

type OpenRestore = {
  readonly sessionId: string;
  readonly folder: string;
  readonly staging: string;
  readonly files: Map<string, StagedFile>;
  parts: number;
};

export class TranscriptRestores {
  readonly #folderOf: FindFolder;
  #open: OpenRestore | undefined;

  constructor(folderOf: FindFolder) {
    this.#folderOf = folderOf;
  }

  /** Takes one part. Nothing of a refused part stays. */
  async add(request: TranscriptRestore): Promise<Result> {
    const { session_id, part = 1, more = false } = request;
    const result = { type: "transcript_restore_result", session_id, part } as const;
    try {
      const restore = part === 1 ? await this.#begin(request) : this.#continued(request);
      await stage(restore, request);
      if (!more) await this.#finish(restore);
      return { ...result, ok: true, is_written: !more };
    } catch (thrown) {
      await this.drop();
      const { reason, message } = RestoreError.from(thrown);
      return { ...result, ok: false, is_written: false, reason, message };
    }
  }

  /** Removes the collected files that are not in place. */
  async drop(): Promise<void> {
    const staging = this.#open?.staging;
    this.#open = undefined;
    if (staging !== undefined) await rm(staging, { recursive: true, force: true });
  }

  async #begin(request: TranscriptRestore): Promise<OpenRestore> {
    await this.drop();
    const folder = await this.#folderOf(request);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeLeft(folder);
    const staging = join(folder, `${STAGING}${process.pid}-${crypto.randomUUID()}`);
    await mkdir(staging, { mode: 0o700 });
    const files = new Map<string, StagedFile>();
    this.#open = { sessionId: request.session_id, folder, staging, files, parts: 0 };
    return this.#open;
  }

  #continued({ session_id, part }: TranscriptRestore): OpenRestore {
    const open = this.#open;
    if (open?.sessionId === session_id && open.parts + 1 === part) return open;
    throw new RestoreError("gap", `part ${part} does not continue an open restore`);
  }

  async #finish({ sessionId, folder, staging, files }: OpenRestore): Promise<void> {
    const main = mainFileOf(sessionId);
    if ((files.get(main)?.size ?? 0) === 0) throw new RestoreError("gap", `no line of ${main}`);
    for (const file of files.values()) await file.finish();
    await placeFiles(folder, staging, [...files.values()]);
    await this.drop();
  }
}

async function stage(restore: OpenRestore, { files }: TranscriptRestore): Promise<void> {
  const { sessionId, staging, files: staged } = restore;
  for (const { file: name, offset, lines } of files) {
    if (!isFileOf(sessionId, name))
      throw new RestoreError("bad_name", `${JSON.stringify(name)} is no file of ${sessionId}`);
    const file = staged.get(name) ?? new StagedFile(name, join(staging, String(staged.size)));
    staged.set(name, file);
    await file.add(sessionId, offset, lines);
  }
  restore.parts += 1;
}

const STAGING = ".tugtalk-restore-";

/** The age in ms from which a file counts as left by a process that was killed. Ids of processes are used again. */
const LEFT_AFTER_MS = 3_600_000;

async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(STAGING)) continue;
    const path = join(folder, name);
    const changed = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
    const isOpen = isRunning(Number.parseInt(name.slice(STAGING.length), 10));
    if (!isOpen || Date.now() - changed > LEFT_AFTER_MS)
      await rm(path, { recursive: true, force: true });
  }
}
