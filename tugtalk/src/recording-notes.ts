/**
 * The entries of a recording, on their way to its file: timed, masked, in their order. Whatever goes
 * wrong with that ends the recording, and is no fault of the session.
 */
import { TugtalkError } from "./errors.ts";
import { type Entry, HeldEntries } from "./held-entries.ts";
import type { Masks } from "./masks.ts";
import { LineMasks, type LineText } from "./recorded-line.ts";
import { RecordedInput, type RecordingEntry, type RecordingHeader } from "./recording.ts";
import type { Speaker } from "./text-pieces.ts";

/** An entry without its time; lines are added as the JSON text that they are. */
export type Note = RecordingEntry extends infer Entry
  ? Entry extends RecordingEntry
    ? Omit<Entry, "ms" | "masked" | "line" | "lines">
    : never
  : never;

/** The events at which the clock of the bridge moves on. */
const MOVING: ReadonlySet<string> = new Set([
  ...RecordedInput.options.map(({ shape }) => shape.event.value),
  "read_clock",
]);

/** Where notes go. */
export type NotesOptions = {
  readonly masks: Masks;
  /** In ms. */
  readonly now: () => number;
  /** Something has come in at this time; in ms. */
  readonly onMoved: (now: number) => void;
  readonly write: (text: string) => void;
  /** Ends the recording. */
  readonly giveUp: (words: string) => void;
};

export class RecordingNotes {
  readonly #options: NotesOptions;
  readonly #start: number;
  readonly #entries: HeldEntries;
  readonly #lineMasks: LineMasks[] = [];

  constructor(options: NotesOptions) {
    this.#options = options;
    this.#start = options.now();
    this.#entries = new HeldEntries({
      write: options.write,
      decideAll: () => {
        for (const masked of this.#lineMasks) masked.decideAll();
      },
      now: options.now,
    });
  }

  /** When the recording was begun, in ms since 1970. */
  get start(): number {
    return this.#start;
  }

  begin(header: RecordingHeader): void {
    this.#options.write(`${JSON.stringify(header)}\n`);
  }

  /** Masks the lines of one side; `speaker` says whose texts stream there. */
  masksOf(speaker?: Speaker): LineMasks {
    const masks = new LineMasks(this.#options.masks, speaker);
    this.#lineMasks.push(masks);
    return masks;
  }

  /** Notes an event, which is put together here. */
  note(build: (masks: Masks) => Note): void {
    this.#add(() => {
      const { masks } = this.#options;
      const before = masks.masked;
      const start = this.#startOf(build(masks));
      const flag = flagOf(masks.masked > before);
      return { isReady: () => true, text: () => `${start}${flag}}\n` };
    });
  }

  /** Notes an event with the line that it is about. */
  noteLine(note: Note, take: () => LineText): void {
    this.#add(() => {
      const [start, line] = [this.#startOf(note), take()];
      return {
        isReady: line.isReady,
        text: () => `${start}${flagOf(line.isMasked())},"line":${line.text()}}\n`,
      };
    });
  }

  /** Notes an event with the lines that came in one piece. */
  noteLines(note: Note, take: () => readonly LineText[]): void {
    this.#add(() => {
      const [start, lines] = [this.#startOf(note), take()];
      return {
        isReady: () => lines.every((line) => line.isReady()),
        text: () => {
          const flag = flagOf(lines.some((line) => line.isMasked()));
          return `${start}${flag},"lines":[${lines.map((line) => line.text()).join(",")}]}\n`;
        },
      };
    });
  }

  /** Nothing more is noted. */
  end(): void {
    this.#guarded(() => {
      for (const masked of this.#lineMasks) masked.end();
      this.#entries.end();
    });
  }

  #add(build: () => Entry): void {
    this.#guarded(() => this.#entries.add(build));
  }

  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#options.giveUp(TugtalkError.from(error).message);
    }
  }

  #startOf(note: Note): string {
    const now = this.#options.now();
    if (MOVING.has(note.event)) this.#options.onMoved(now);
    const ms = Math.max(0, Math.round(now - this.#start));
    return JSON.stringify({ ms, ...note }).slice(0, -1);
  }
}

/** What was thrown, in the fields of an entry. */
export function failure(thrown: unknown, masks: Masks) {
  const { code, message, reason } = TugtalkError.from(thrown);
  return { code, message: masks.maskText(message), ...(reason !== undefined && { reason }) };
}

function flagOf(isMasked: boolean): string {
  return isMasked ? ',"masked":true' : "";
}
