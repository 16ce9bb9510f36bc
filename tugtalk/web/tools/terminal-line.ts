/** One line of a terminal, with its cursor. */
import { PLAIN, type TextStyle } from "./sgr.ts";

/** Text in one style. */
export type Span = {
  readonly text: string;
  readonly style: TextStyle;
  /** Where it leads, by OSC 8. */
  readonly url?: string | undefined;
};

export class TerminalLine {
  #spans: Span[] = [];
  #width = 0;
  /** Where the next character goes. */
  #column = 0;

  get spans(): readonly Span[] {
    return this.#spans;
  }

  /** Overwrites the text at the column, like a terminal. */
  write(span: Span): void {
    const end = this.#column + span.text.length;
    const isAtEnd = this.#column === this.#width;
    const after = isAtEnd ? [] : cutSpans(this.#spans, end, this.#width);
    if (!isAtEnd) this.#spans = cutSpans(this.#spans, 0, this.#column);
    for (const added of [span, ...after]) this.#append(added);
    this.#column = end;
    this.#width = Math.max(this.#width, end);
  }

  /** A carriage return. */
  goToStart(): void {
    this.#column = 0;
  }

  /** A backspace. */
  goBack(): void {
    this.#column = Math.max(this.#column - 1, 0);
  }

  /** `ESC [ K`: 0 erases from the cursor on, 1 up to it, 2 all. */
  erase(part: string): void {
    const blank: Span = { text: " ".repeat(this.#column), style: PLAIN };
    const isEndKept = part === "1";
    const end = isEndKept ? cutSpans(this.#spans, this.#column, this.#width) : [];
    const start = part === "" || part === "0" ? cutSpans(this.#spans, 0, this.#column) : [blank];
    this.#spans = [...start, ...end].filter(({ text }) => text !== "");
    if (!isEndKept) this.#width = this.#column;
  }

  /** Spans that look alike are one. */
  #append(span: Span): void {
    const last = this.#spans.at(-1);
    if (last?.style === span.style && last.url === span.url)
      this.#spans.splice(-1, 1, { ...last, text: last.text + span.text });
    else this.#spans.push(span);
  }
}

function cutSpans(spans: readonly Span[], from: number, to: number): Span[] {
  let start = 0;
  return spans.flatMap((span) => {
    const text = span.text.slice(Math.max(from - start, 0), Math.max(to - start, 0));
    start += span.text.length;
    return text === "" ? [] : [{ ...span, text }];
  });
}
