/**
 * Splits bytes into lines. Only the byte 0x0A ends a line: U+2028 and U+2029 are ordinary characters
 * in JSON, and some CLIs print them unescaped.
 */

const LF = 0x0a;
const CR = 0x0d;

/** The default limit of a line, in bytes: 64 MiB. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** A line over the limit: its length in bytes, and as text its first bytes, and those with its last ones. */
export type OverlongLine = {
  readonly overlongBytes: number;
  readonly head: string;
  readonly edges: string;
};

/** How much of each end of an overlong line is kept, in bytes. */
const EDGE = 4096;

/** Buffers up to this size, in bytes, are kept for the next line: growing a new one allocates twice its size. */
const REUSED_BUFFER = 4 * 1024 * 1024;

/** One line without its LF or CRLF, or the remains of one over the limit. */
export type Line = Uint8Array | OverlongLine;

/** Whether a line was over the limit. */
export function isOverlong(line: Line): line is OverlongLine {
  return "overlongBytes" in line;
}

/**
 * Splits a stream of chunks into lines, without blank ones. Takes linear time: each chunk is searched
 * once, and an incomplete line is kept in one buffer that doubles. A line may share memory with its chunk.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #buffer = new Uint8Array(0);
  /** The first bytes of the current line if it is over the limit. */
  #head: Uint8Array | undefined;
  /** The length of the current line so far. Over the limit, its bytes are only counted. */
  #size = 0;

  constructor(maxBytes: number = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that the next chunk completes. */
  feed(chunk: Uint8Array): Line[] {
    const cursor = this.open(chunk);
    const lines: Line[] = [];
    for (let line = cursor.next(); line !== undefined; line = cursor.next()) lines.push(line);
    return lines;
  }

  /** The same lines, each split off when it is read. They must be read before the next chunk. */
  open(chunk: Uint8Array): LineCursor {
    return new LineCursor(chunk, {
      isWithinLine: this.#size > 0,
      maxBytes: this.#maxBytes,
      complete: (lastPiece) => this.#complete(lastPiece),
      append: (piece) => this.#append(piece),
    });
  }

  /** Ends the stream. Returns the last line if it had no LF. */
  end(): Line[] {
    const line = this.#size > 0 ? this.#complete(new Uint8Array(0)) : undefined;
    return line === undefined ? [] : [line];
  }

  /** The line that ends with this piece; undefined if it is blank. */
  #complete(lastPiece: Uint8Array): Line | undefined {
    const isTooLong = this.#size + lastPiece.length > this.#maxBytes;
    const line = isTooLong
      ? this.#overlong(lastPiece)
      : withoutCarriageReturn(this.#joinedWith(lastPiece));
    if (this.#buffer.length > REUSED_BUFFER) this.#buffer = new Uint8Array(0);
    this.#head = undefined;
    this.#size = 0;
    return isOverlong(line) || !isBlank(line) ? line : undefined;
  }

  #joinedWith(lastPiece: Uint8Array): Uint8Array {
    if (this.#size === 0) return lastPiece;
    this.#append(lastPiece);
    const line = this.#buffer.subarray(0, this.#size);
    return this.#buffer.length > REUSED_BUFFER ? line : line.slice();
  }

  #overlong(lastPiece: Uint8Array): OverlongLine {
    this.#append(lastPiece);
    const head = Buffer.from(this.#head ?? new Uint8Array(0));
    const edges = Buffer.concat([head, this.#buffer]);
    return { overlongBytes: this.#size, head: head.toString(), edges: edges.toString() };
  }

  #append(piece: Uint8Array): void {
    const size = this.#size + piece.length;
    if (size > this.#maxBytes) this.#appendEdges(piece);
    else {
      this.#buffer = grown(size, this.#buffer, this.#size);
      this.#buffer.set(piece, this.#size);
    }
    this.#size = size;
  }

  /** Over the limit: the buffer holds only the last bytes. */
  #appendEdges(piece: Uint8Array): void {
    const isFirst = this.#head === undefined;
    const before = isFirst ? this.#buffer.subarray(0, this.#size) : this.#buffer;
    this.#head ??= Buffer.concat([before.subarray(0, EDGE), piece.subarray(0, EDGE)]).subarray(
      0,
      EDGE,
    );
    this.#buffer = Uint8Array.from(
      Buffer.concat([before.subarray(-EDGE), piece.subarray(-EDGE)]).subarray(-EDGE),
    );
  }
}

type CursorPorts = {
  /** The chunk begins within a line. */
  readonly isWithinLine: boolean;
  readonly maxBytes: number;
  readonly complete: (lastPiece: Uint8Array) => Line | undefined;
  readonly append: (piece: Uint8Array) => void;
};

/** The lines of one chunk, in order. A reader that knows the next ones may skip them unsplit. */
export class LineCursor implements Iterable<Line> {
  readonly #chunk: Uint8Array;
  readonly #splitter: CursorPorts;
  /** Where the next line begins, in bytes. */
  at = 0;
  #text: string | undefined;

  constructor(chunk: Uint8Array, splitter: CursorPorts) {
    this.#chunk = chunk;
    this.#splitter = splitter;
  }

  /** The whole chunk in Latin-1: one character for each byte. Undefined where a line in it may be over the limit. */
  get text(): string | undefined {
    const { isWithinLine, maxBytes } = this.#splitter;
    if ((this.at === 0 && isWithinLine) || this.#chunk.length > maxBytes) return undefined;
    // A Buffer of the same memory takes longer to make than the text.
    this.#text ??= Buffer.prototype.toString.call(this.#chunk, "latin1");
    return this.#text;
  }

  /** Nothing is left, not even the beginning of a line. */
  get isAtEnd(): boolean {
    return this.at >= this.#chunk.length;
  }

  /** The next line. Undefined at the end, which keeps the beginning of a line for the next chunk. */
  next(): Line | undefined {
    const chunk = this.#chunk;
    for (let end = chunk.indexOf(LF, this.at); end !== -1; end = chunk.indexOf(LF, this.at)) {
      const line = this.#splitter.complete(chunk.subarray(this.at, end));
      this.at = end + 1;
      if (line !== undefined) return line;
    }
    if (!this.isAtEnd) this.#splitter.append(chunk.subarray(this.at));
    this.at = chunk.length;
    return undefined;
  }

  *[Symbol.iterator](): Iterator<Line> {
    for (let line = this.next(); line !== undefined; line = this.next()) yield line;
  }
}

/** The same buffer if it is large enough, or a copy of at least twice its size. */
function grown(
  size: number,
  buffer: Uint8Array<ArrayBuffer>,
  used: number,
): Uint8Array<ArrayBuffer> {
  if (size <= buffer.length) return buffer;
  const larger = new Uint8Array(Math.max(size, buffer.length * 2, 1024));
  larger.set(buffer.subarray(0, used));
  return larger;
}

function withoutCarriageReturn(line: Uint8Array): Uint8Array {
  return line[line.length - 1] === CR ? line.subarray(0, -1) : line;
}

/** Whether a line has only spaces and tabs. */
function isBlank(line: Uint8Array): boolean {
  for (const byte of line) if (byte !== 0x20 && byte !== 0x09) return false;
  return true;
}
