/**
 * Writes the entries of a recording: timed, masked, in their order. A failure ends the recording and
 * never reaches the session.
 */
import type { Line } from "../base/lines.ts";
import { TugtalkError } from "../messages/errors.ts";
import { maskJson } from "./masking/mask-json.ts";
import type { TextMask } from "./masking/mask-text.ts";
import { LineMask, type Pipe } from "./recorded-line.ts";
import { isInput, type RecordingEntry } from "./recording.ts";
import type { RecordingFile } from "./recording-file.ts";
import { StreamedTexts } from "./streamed-texts.ts";

/** An entry without its time. */
export type Note = Without<RecordingEntry, "t">;

export type Without<Entry, Name extends string> = Entry extends unknown ? Omit<Entry, Name> : never;

type Directed = { readonly dir: RecordingEntry["dir"]; readonly [field: string]: unknown };

/** The entry of a line without its line. */
type LineNote = Without<Extract<Note, { dir: "host" | "emit" | "in" | "out" }>, "msg">;

export class RecordingNotes {
  readonly #file: RecordingFile;
  readonly #mask: TextMask;
  readonly #now: () => number;
  readonly #texts = new StreamedTexts();
  readonly #lines: LineMask;
  /** When the recording began, in ms since 1970. */
  readonly start: number;
  #lastInput: number;

  /** `now` returns the time, in ms. */
  constructor(file: RecordingFile, mask: TextMask, now: () => number) {
    this.#file = file;
    this.#mask = mask;
    this.#now = now;
    this.#lines = new LineMask(mask, this.#texts);
    this.start = now();
    this.#lastInput = this.start;
  }

  /** The time of the last input, in ms. */
  get lastInput(): number {
    return this.#lastInput;
  }

  add(note: Note): void {
    this.#guard(() => this.#write(maskJson(note, this.#mask)));
  }

  /** Lines that came together have one time. */
  addLines(note: LineNote, pipe: Pipe, lines: readonly (Line | string)[]): void {
    const now = this.#now();
    for (const line of lines)
      this.#guard(() => this.#write({ ...note, msg: this.#lines.mask(line, pipe) }, now));
  }

  /** Nothing more comes from this pipe, or from any. */
  endTexts(pipe?: Pipe): void {
    this.#texts.end(pipe?.name ?? "");
  }

  #write(entry: Directed, now = this.#now()): void {
    for (const { $text, text } of this.#texts.takeEnded())
      this.#writeLine({ dir: "text", msg: { $text, text: this.#mask.mask(text) } });
    if (isInput(entry)) this.#lastInput = now;
    this.#writeLine({ t: Math.max(0, Math.round(now - this.start)), ...entry });
  }

  #writeLine(line: object): void {
    this.#file.write(`${JSON.stringify(line)}\n`);
  }

  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#file.giveUp(TugtalkError.from(error).message);
    }
  }
}
