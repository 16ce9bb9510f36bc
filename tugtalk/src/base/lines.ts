/**
 * Bytes to lines. A line ends at the byte 0x0A and nowhere else: U+2028 and U+2029 are ordinary
 * characters inside JSON, and some CLIs print them raw. Knows nothing of JSON or of pipes.
 */

const LF = 0x0a;
const CR = 0x0d;

/** The longest line that is accepted unless the command line says otherwise, in bytes: 64 MiB. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** What is left of a line over the limit: its length, and its first and last bytes as text. */
export type OverlongLine = { readonly overlongBytes: number; readonly edges: string };

/** How much of either end of an overlong line is kept, in bytes. */
const EDGE = 4096;

/** A buffer up to this size is used for the next line too: growing one anew leaves twice its size behind. */
const REUSED_BUFFER = 4 * 1024 * 1024;

/** One line without its LF (and without a CR before it), or news that one was too long. */
export type Line = Uint8Array | OverlongLine;

/** Tells a line that was thrown away from one that is whole. */
export function isOverlong(line: Line): line is OverlongLine {
  return "overlongBytes" in line;
}

/**
 * Cuts a stream of chunks into lines. Linear in the number of bytes, also for long lines and for
 * chunks of one byte: a chunk is searched once, and what is held back is kept in one buffer that
 * doubles. Blank lines are left out. A line may share memory with the chunk that it came in.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #buffer = new Uint8Array(0);
  /** The first bytes of a line that is over the limit; undefined while none is. */
  #head: Uint8Array | undefined;
  /** Bytes of the current line so far; more than the limit means that they are only counted. */
  #held = 0;

  constructor(maxBytes: number = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Takes the next bytes; gives the lines that they complete. */
  feed(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      this.#complete(chunk.subarray(start, end), lines);
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
    return lines;
  }

  /** Ends the stream: gives the last line if it had no LF. */
  end(): Line[] {
    const lines: Line[] = [];
    if (this.#held > 0) this.#complete(new Uint8Array(0), lines);
    return lines;
  }

  #complete(lastPiece: Uint8Array, lines: Line[]): void {
    if (this.#held + lastPiece.length > this.#maxBytes) lines.push(this.#overlong(lastPiece));
    else {
      const line = withoutCarriageReturn(this.#joinedWith(lastPiece));
      if (!isBlank(line)) lines.push(line);
    }
    if (this.#buffer.length > REUSED_BUFFER) this.#buffer = new Uint8Array(0);
    this.#head = undefined;
    this.#held = 0;
  }

  #joinedWith(lastPiece: Uint8Array): Uint8Array {
    if (this.#held === 0) return lastPiece;
    this.#hold(lastPiece);
    const line = this.#buffer.subarray(0, this.#held);
    return this.#buffer.length > REUSED_BUFFER ? line : line.slice();
  }

  #overlong(lastPiece: Uint8Array): OverlongLine {
    this.#hold(lastPiece);
    const edges = Buffer.concat([this.#head ?? new Uint8Array(0), this.#buffer]);
    return { overlongBytes: this.#held, edges: edges.toString() };
  }

  #hold(piece: Uint8Array): void {
    const held = this.#held + piece.length;
    if (held > this.#maxBytes) this.#holdEdges(piece);
    else {
      this.#buffer = withRoomFor(held, this.#buffer, this.#held);
      this.#buffer.set(piece, this.#held);
    }
    this.#held = held;
  }

  /** Over the limit: from here on the buffer is only the last bytes. */
  #holdEdges(piece: Uint8Array): void {
    const isFirst = this.#head === undefined;
    const before = isFirst ? this.#buffer.subarray(0, this.#held) : this.#buffer;
    this.#head ??= Buffer.concat([before.subarray(0, EDGE), piece.subarray(0, EDGE)]).subarray(
      0,
      EDGE,
    );
    this.#buffer = Uint8Array.from(
      Buffer.concat([before.subarray(-EDGE), piece.subarray(-EDGE)]).subarray(-EDGE),
    );
  }
}

/** The same buffer, or one of at least twice the size that starts with the same bytes. */
function withRoomFor(
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
  return line.at(-1) === CR ? line.subarray(0, -1) : line;
}

/** Spaces and tabs only. Most lines are told by their first byte. */
function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09);
}
