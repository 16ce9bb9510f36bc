/** The files of conversations as messages: each call returns the next piece that the host does not have. */
import { isJsonObject, parseJson } from "../base/json.ts";
import type { OutboundDraft } from "../types.ts";
import {
  MAX_MIRRORED_LINE,
  openFile,
  type ReadPosition,
  readAppended,
  UNREAD,
} from "./appended-lines.ts";
import type { ConversationFile } from "./conversation-files.ts";
import { isNote } from "./transcript-names.ts";

export type TranscriptMessage = Extract<
  OutboundDraft,
  { type: "transcript_lines" | "transcript_failed" }
>;
type FailureReason = Extract<TranscriptMessage, { type: "transcript_failed" }>["reason"];

type Find = (sessionId: string) => Promise<readonly ConversationFile[]>;

type Copy = {
  position: ReadPosition;
  /** The length of the copy, in bytes. */
  sent: number;
  /** The whole text of a note. */
  note: string | undefined;
  /** Why it is not read any more, or not now. */
  failure: FailureReason | undefined;
};

type Due = ConversationFile & { readonly sessionId: string };

export class MirroredFiles {
  readonly #find: Find;
  readonly #copies = new Map<string, Copy>();
  /** The rest of this round. */
  #due: Due[] | undefined;

  constructor(find: Find) {
    this.#find = find;
  }

  /** Undefined ends a round: the host has all; the next call begins the next round. */
  async next(sessionIds: readonly string[]): Promise<TranscriptMessage | undefined> {
    this.#due ??= await this.#filesOf(sessionIds);
    for (let file = this.#due[0]; file !== undefined; file = this.#due[0]) {
      const message = await this.#read(file);
      if (message !== undefined) return message;
      this.#due.shift();
    }
    this.#due = undefined;
    return undefined;
  }

  async #filesOf(sessionIds: readonly string[]): Promise<Due[]> {
    const due: Due[] = [];
    for (const sessionId of sessionIds)
      for (const file of await this.#find(sessionId)) due.push({ ...file, sessionId });
    return due;
  }

  async #read(file: Due): Promise<TranscriptMessage | undefined> {
    const copy = this.#copyOf(file.name);
    if (copy.failure === "line_too_long") return undefined;
    try {
      const message = isNote(file.name)
        ? await this.#readNote(file, copy)
        : await this.#readLines(file, copy);
      if (copy.failure === "unreadable") copy.failure = undefined;
      return message;
    } catch (thrown) {
      return this.#fail(file, copy, thrown);
    }
  }

  #copyOf(name: string): Copy {
    const known = this.#copies.get(name);
    if (known !== undefined) return known;
    const copy: Copy = { position: UNREAD, sent: 0, note: undefined, failure: undefined };
    this.#copies.set(name, copy);
    return copy;
  }

  async #readLines(file: Due, copy: Copy): Promise<TranscriptMessage | undefined> {
    for (;;) {
      const read = await readAppended(file.path, copy.position);
      if (read === undefined) return undefined;
      if (read === "line_too_long") return tooLong(file, copy);
      if (read === "changed") {
        copy.position = UNREAD;
        copy.sent = 0;
        return failed(file, "changed", "it was replaced or shortened");
      }
      copy.position = read.position;
      if (read.lines.length === 0) continue;
      const offset = copy.sent;
      for (const line of read.lines) copy.sent += Buffer.byteLength(line) + 1;
      return linesOf(file, offset, read.lines);
    }
  }

  async #readNote(file: Due, copy: Copy): Promise<TranscriptMessage | undefined> {
    await using handle = await openFile(file.path);
    if ((await handle.stat()).size > MAX_MIRRORED_LINE) return tooLong(file, copy);
    const note = (await handle.readFile("utf8")).trim();
    const value = parseJson(note);
    // Claude may be writing it.
    if (note === copy.note || !isJsonObject(value)) return undefined;
    copy.note = note;
    return linesOf(file, 0, [note.includes("\n") ? JSON.stringify(value) : note]);
  }

  /** Said once, until it can be read again. */
  #fail(file: Due, copy: Copy, thrown: unknown): TranscriptMessage | undefined {
    if (copy.failure === "unreadable") return undefined;
    copy.failure = "unreadable";
    return failed(file, "unreadable", thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function linesOf(
  { name, sessionId }: Due,
  offset: number,
  lines: readonly string[],
): TranscriptMessage {
  return {
    type: "transcript_lines",
    session_id: sessionId,
    file: name,
    offset,
    lines: [...lines],
  };
}

function failed({ name, sessionId }: Due, reason: FailureReason, message: string) {
  return { type: "transcript_failed", session_id: sessionId, file: name, reason, message } as const;
}

function tooLong(file: Due, copy: Copy): TranscriptMessage {
  copy.failure = "line_too_long";
  return failed(file, "line_too_long", `a line of more than ${MAX_MIRRORED_LINE} bytes`);
}
