/**
 * One transcript on disk, of any size: gone through once for the places of its lines, and again for
 * the lines that are wanted.
 */
import { isOverlong, type Line } from "../base/lines.ts";
import { parseTranscriptLine, type TranscriptLine } from "./transcript-line.ts";
import { type OrderedLine, TranscriptTree } from "./transcript-order.ts";
import { readLines } from "./transcript-reader.ts";

/** Which line of its file a line is, and how long. */
export type LineSpot = { readonly number: number; readonly bytes: number };

export class TranscriptFile {
  readonly #path: string;
  readonly #parentToolUseId: string | undefined;
  /** Lines that could not be read. */
  skipped = 0;

  /** `lane` is the tool call of the subagent whose transcript it is. */
  constructor(path: string, parentToolUseId?: string) {
    this.#path = path;
    this.#parentToolUseId = parentToolUseId;
  }

  /** The lines of the conversation in force, in order. */
  async conversation(): Promise<OrderedLine<LineSpot>[]> {
    const tree = new TranscriptTree<LineSpot>();
    await this.#eachLine((line, spot) => {
      const parsed = this.#parse(line);
      if (parsed === "broken") this.skipped += 1;
      else if (parsed !== undefined && this.#isOfLane(parsed)) tree.add(parsed, spot);
    });
    return tree.conversation();
  }

  /** What these lines say, in their order. */
  async read(lines: readonly OrderedLine<LineSpot>[]): Promise<TranscriptLine[]> {
    const wanted = new Map<number, TranscriptLine | undefined>(
      lines.map(({ kept }) => [kept.number, undefined]),
    );
    await this.#eachLine((line, { number }) => {
      const parsed = wanted.has(number) ? this.#parse(line) : undefined;
      if (typeof parsed === "object") wanted.set(number, parsed);
    });
    return lines.flatMap(({ kept }) => wanted.get(kept.number) ?? []);
  }

  #parse(line: Line): TranscriptLine | "broken" | undefined {
    return isOverlong(line) ? "broken" : parseTranscriptLine(line, this.#parentToolUseId);
  }

  /** All of a subagent's transcript is beside the main conversation. */
  #isOfLane({ isSidechain }: TranscriptLine): boolean {
    return this.#parentToolUseId !== undefined || !isSidechain;
  }

  async #eachLine(take: (line: Line, spot: LineSpot) => void): Promise<void> {
    let number = 0;
    await readLines(this.#path, (line) => {
      const bytes = isOverlong(line) ? line.overlongBytes : line.length;
      take(line, { number, bytes });
      number += 1;
    });
  }
}
