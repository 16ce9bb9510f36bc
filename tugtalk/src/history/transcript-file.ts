/** One transcript on disk, of any size: read once for its order, and again for the lines of a page. */
import { isOverlong, type Line } from "../base/lines.ts";
import { parseTranscriptLine, type TranscriptLine } from "./transcript-line.ts";
import { readLines } from "./transcript-reader.ts";
import { type OrderedLine, TranscriptTree } from "./transcript-tree.ts";

type Part = {
  readonly parentToolUseId?: string | undefined;
  readonly bytes?: number | undefined;
};

export class TranscriptFile {
  readonly #path: string;
  readonly #parentToolUseId: string | undefined;
  readonly #bytes: number | undefined;
  /** How many lines could not be parsed. */
  skipped = 0;

  /**
   * `parentToolUseId` is the tool call of the subagent whose transcript it is. `bytes` is the length of the
   * part that counts: the whole, unless it is given.
   */
  constructor(path: string, { parentToolUseId, bytes }: Part = {}) {
    this.#path = path;
    this.#parentToolUseId = parentToolUseId;
    this.#bytes = bytes;
  }

  /** The lines of the current conversation, in order. */
  async conversation(): Promise<OrderedLine[]> {
    const tree = new TranscriptTree();
    // All lines of a subagent's transcript are on a side chain.
    const isSubagent = this.#parentToolUseId !== undefined;
    let number = 0;
    await this.#readLines((line) => {
      const parsed = parseTranscriptLine(line, this.#parentToolUseId);
      const bytes = isOverlong(line) ? line.overlongBytes : line.length;
      if (parsed === "broken") this.skipped += 1;
      else if (parsed !== undefined && (isSubagent || !parsed.isSidechain))
        tree.add(parsed, { number, bytes });
      number += 1;
    });
    return tree.conversation();
  }

  /** The content of these lines, in their order. */
  async read(lines: readonly OrderedLine[]): Promise<TranscriptLine[]> {
    const wanted = new Set(lines.map(({ number }) => number));
    const found = new Map<number, TranscriptLine>();
    let number = 0;
    await this.#readLines((line) => {
      const parsed = wanted.has(number)
        ? parseTranscriptLine(line, this.#parentToolUseId)
        : undefined;
      if (typeof parsed === "object") found.set(number, parsed);
      number += 1;
    });
    return lines.flatMap((line) => found.get(line.number) ?? []);
  }

  async #readLines(onLine: (line: Line) => undefined): Promise<void> {
    await readLines(this.#path, onLine, 0, this.#bytes);
  }
}
