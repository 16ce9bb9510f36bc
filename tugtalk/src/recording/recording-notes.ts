/**
 * The entries of a recording, on their way to its file: timed, masked, in their order. Whatever goes
 * wrong with that ends the recording, and is no fault of the session.
 */

import type { Line } from "../base/lines.ts";
import { TugtalkError } from "../messages/errors.ts";
import { maskJson } from "./masking/mask-json.ts";
import type { TextMask } from "./masking/mask-text.ts";
import { LineMask, type MaskedText, type Pipe } from "./recorded-line.ts";
import { RecordedInput, type RecordingEntry, type RecordingHeader } from "./recording.ts";

/** An entry without its time; lines are added as the JSON text that they are. */
export type Note = RecordingEntry extends infer Entry
  ? Entry extends RecordingEntry
    ? Omit<Entry, "ms" | "masked" | "line" | "lines">
    : never
  : never;

/** At what comes in the clock of the bridge moves on. */
const MOVING: ReadonlySet<string> = new Set(
  RecordedInput.options.map(({ shape }) => shape.event.value),
);

/** Where notes go. */
export type NotesOptions = {
  readonly mask: TextMask;
  /** In ms. */
  readonly now: () => number;
  /** Something has come in at this time; in ms. */
  readonly onMoved: (now: number) => void;
  readonly write: (text: string) => void;
  /** Ends the recording. */
  readonly giveUp: (message: string) => void;
};

export class RecordingNotes {
  readonly #options: NotesOptions;
  readonly #start: number;
  readonly #lines: LineMask;

  constructor(options: NotesOptions) {
    this.#options = options;
    this.#start = options.now();
    this.#lines = new LineMask(options.mask);
  }

  /** When the recording was begun, in ms since 1970. */
  get start(): number {
    return this.#start;
  }

  begin(header: RecordingHeader): void {
    this.#options.write(`${JSON.stringify(header)}\n`);
  }

  /** Notes an event. */
  note(note: Note): void {
    this.#guarded(() => {
      const masked = maskJson(note, this.#options.mask);
      this.#write(masked, { isMasked: masked !== note });
    });
  }

  /** Notes an event with the line that it is about. */
  noteLine(note: Note, pipe: Pipe, line: string): void {
    this.#guarded(() => {
      const { json, isMasked, ended } = this.#lines.take(line, pipe);
      this.#write(note, { isMasked, rest: `,"line":${json}` });
      this.#writeTexts(ended);
    });
  }

  /** Notes an event with the lines that came in one piece. */
  noteLines(note: Note, pipe: Pipe, lines: readonly Line[]): void {
    if (lines.length === 0) return;
    this.#guarded(() => {
      const records = lines.map((line) => this.#lines.take(line, pipe));
      const isMasked = records.some((record) => record.isMasked);
      const rest = `,"lines":[${records.map(({ json }) => json).join(",")}]`;
      this.#write(note, { isMasked, rest });
      this.#writeTexts(records.flatMap(({ ended }) => ended));
    });
  }

  /** Nothing more comes from this pipe, or from any. */
  endTexts(pipe?: Pipe): void {
    this.#guarded(() => this.#writeTexts(this.#lines.end(pipe)));
  }

  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#options.giveUp(TugtalkError.from(error).message);
    }
  }

  #write(note: Note, { isMasked, rest = "" }: { isMasked: boolean; rest?: string }): void {
    const now = this.#options.now();
    if (MOVING.has(note.event)) this.#options.onMoved(now);
    const ms = Math.max(0, Math.round(now - this.#start));
    const fields = JSON.stringify({ ms, ...note, ...(isMasked && { masked: true }) });
    this.#options.write(`${fields.slice(0, -1)}${rest}}\n`);
  }

  #writeTexts(texts: readonly MaskedText[]): void {
    for (const { number, text, isMasked } of texts) {
      const entry = { $text: number, text, ...(isMasked && { masked: true }) };
      this.#options.write(`${JSON.stringify(entry)}\n`);
    }
  }
}
