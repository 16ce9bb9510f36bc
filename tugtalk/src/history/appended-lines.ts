/** The lines that were appended to a file since it was read last: whole ones, within bounds. */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { isJsonObject, parseJson } from "../base/json.ts";

const LF = 0x0a;

/** The most bytes of lines in one message; a longer line is alone in its message. */
const BATCH_BYTES = 1024 * 1024;

/** A line that is longer cannot come back in a message of the host: written as JSON once more, it may take twice as much. */
export const MAX_MIRRORED_LINE = 30 * 1024 * 1024;

/**
 * This many bytes before the offset are compared, to know whether the file is still the one that was read.
 */
const TAIL_BYTES = 256;

/** How far a file was read. */
export type ReadPosition = {
  readonly offset: number;
  readonly inode: number;
  /** The last bytes before the offset. */
  readonly tail: Buffer;
};

export const UNREAD: ReadPosition = { offset: 0, inode: 0, tail: Buffer.alloc(0) };

export type Appended = {
  /** The lines that are JSON objects. Claude ignores the half line of a process that was killed. */
  readonly lines: readonly string[];
  readonly position: ReadPosition;
};

/**
 * The next whole lines; undefined if there are none. "changed": the file lacks the lines that were read
 * before. Rejects if the file cannot be read, or is a link.
 */
export async function readAppended(
  path: string,
  position: ReadPosition,
): Promise<Appended | "changed" | "line_too_long" | undefined> {
  await using file = await openFile(path);
  const { size, ino: inode } = await file.stat();
  if (position.offset > 0 && !(await isSame(file, size, inode, position))) return "changed";
  const bytes = await wholeLines(file, position.offset, size);
  if (bytes === "line_too_long") return bytes;
  if (bytes.length === 0) return undefined;
  const read = Buffer.concat([position.tail, bytes.subarray(-TAIL_BYTES)]);
  const tail = Buffer.from(read.subarray(-TAIL_BYTES));
  const next = { offset: position.offset + bytes.length, inode, tail };
  return { lines: objectsIn(bytes), position: next };
}

/** Opens a file that is no link, no pipe and no folder. */
export async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error("it is no plain file");
}

async function isSame(
  file: FileHandle,
  size: number,
  inode: number,
  { offset, inode: before, tail }: ReadPosition,
): Promise<boolean> {
  if (inode !== before || size < offset) return false;
  return tail.equals(await readAt(file, offset - tail.length, tail.length));
}

/** As many lines as fit into a message, or one longer line. Empty if no line is whole. */
async function wholeLines(
  file: FileHandle,
  offset: number,
  size: number,
): Promise<Buffer | "line_too_long"> {
  for (let limit = BATCH_BYTES; ; limit = Math.min(limit * 4, MAX_MIRRORED_LINE + 1)) {
    const bytes = await readAt(file, offset, Math.min(limit, size - offset));
    const end = limit === BATCH_BYTES ? bytes.lastIndexOf(LF) : bytes.indexOf(LF);
    if (end >= 0) return bytes.subarray(0, end + 1);
    if (bytes.length > MAX_MIRRORED_LINE) return "line_too_long";
    if (bytes.length < limit) return bytes.subarray(0, 0);
  }
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(length, 0));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function objectsIn(bytes: Buffer): string[] {
  const lines: string[] = [];
  for (let at = 0, end = bytes.indexOf(LF); end >= 0; at = end + 1, end = bytes.indexOf(LF, at)) {
    const line = textOf(bytes.subarray(at, end));
    if (line !== undefined && isJsonObject(parseJson(line))) lines.push(line);
  }
  return lines;
}

function textOf(line: Uint8Array): string | undefined {
  try {
    return decoder.decode(line);
  } catch {
    return undefined; // Not UTF-8.
  }
}
