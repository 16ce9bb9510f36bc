/**
 * Writes the entries of a recording: timed, masked, in their order. A failure ends the recording and
 * never reaches the session.
 */
import type { Line } from "../base/lines.ts";
import { TugtalkError } from "../messages/errors.ts";
import { maskJson } from "./masking/mask-json.ts";
import type { TextMask } from "./masking/mask-text.ts";
import { LineMask, type Pipe } from "./recorded-line.ts";
import { isInput, type RecordingEntry, type RecordingHeader } from "./recording.ts";
import type { RecordingFile } from "./recording-file.ts";

/** An entry without its time. */
export type Note = Without<RecordingEntry, "ms">;

type Without<Entry, Name extends string> = Entry extends unknown ? Omit<Entry, Name> : never;

type Named = { readonly event: RecordingEntry["event"]; readonly [field: string]: unknown };

export type NotesOptions = {
  readonly file: Pick<RecordingFile, "write" | "giveUp">;
  readonly mask: TextMask;
  /** The time, in ms. */
  readonly now: () => number;
};

export class RecordingNotes {
  readonly #options: NotesOptions;
  readonly #lines: LineMask;
  /** When the recording began, in ms since 1970. */
  readonly start: number;
  #lastInput: number;

  constructor(options: NotesOptions) {
    this.#options = options;
    this.#lines = new LineMask(options.mask);
    this.start = options.now();
    this.#lastInput = this.start;
  }

  /** The time of the last input, in ms. */
  get lastInput(): number {
    return this.#lastInput;
  }

  begin(header: RecordingHeader): void {
    this.#writeLine(header);
  }

  /** Notes an event. */
  note(note: Note): void {
    this.#guard(() => this.#write(maskJson(note, this.#options.mask)));
  }

  /** Notes an event with its line. */
  noteLine(note: Without<Note, "line">, pipe: Pipe, line: string): void {
    this.#guard(() => this.#write({ ...note, line: this.#lines.mask(line, pipe) }));
  }

  /** Notes an event with lines that arrived together. */
  noteLines(note: Without<Note, "lines">, pipe: Pipe, lines: readonly Line[]): void {
    if (lines.length === 0) return;
    this.#guard(() =>
      this.#write({ ...note, lines: lines.map((line) => this.#lines.mask(line, pipe)) }),
    );
  }

  /** Nothing more comes from this pipe, or from any. */
  endTexts(pipe?: Pipe): void {
    this.#lines.endTexts(pipe);
  }

  #write(entry: Named): void {
    for (const text of this.#lines.takeEnded()) this.#writeLine(text);
    const now = this.#options.now();
    if (isInput(entry)) this.#lastInput = now;
    this.#writeLine({ ms: Math.max(0, Math.round(now - this.start)), ...entry });
  }

  #writeLine(line: object): void {
    this.#options.file.write(`${JSON.stringify(line)}\n`);
  }

  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#options.file.giveUp(TugtalkError.from(error).message);
    }
  }
}
