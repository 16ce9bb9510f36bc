/** Lines of which the middle is left out until a person wants to see all. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

export type FoldedProps<Line> = {
  readonly lines: readonly Line[];
  readonly size: FoldSize;
  readonly draw: (line: Line, index: number) => ComponentChildren;
  /** What the lines are called in the button: `lines`. */
  readonly noun?: string;
};

export function Folded<Line>({ lines, size, draw, noun = "lines" }: FoldedProps<Line>) {
  const more = useSignal(0);
  const fold = foldLines(lines, { ...size, head: size.head + more.value });
  if (fold.hidden === 0) return <>{lines.map(draw)}</>;
  const count = `${lines.length.toLocaleString("en-US")} ${noun}`;
  const tailStart = lines.length - fold.tail.length;
  return (
    <>
      {fold.head.map(draw)}
      <button
        type="button"
        class="show-all"
        onClick={() => {
          more.value += STEP;
        }}
      >
        {fold.hidden <= STEP
          ? `Show all ${count}`
          : `Show ${STEP.toLocaleString("en-US")} more of ${count}`}
      </button>
      {fold.tail.map((line, index) => draw(line, tailStart + index))}
    </>
  );
}

/** As many are drawn without the page standing still. */
const STEP = 1_000;

/** Long lists of lines: the first and the last of them, and how many lie between. */
type Fold<Line> = {
  readonly head: readonly Line[];
  /** Lines that are left out; none if all are in `head`. */
  readonly hidden: number;
  readonly tail: readonly Line[];
};

type FoldSize = { readonly head: number; readonly tail: number };

/** A button for fewer lines than these is not worth its place. */
const MIN_HIDDEN = 4;

export function foldLines<Line>(lines: readonly Line[], { head, tail }: FoldSize): Fold<Line> {
  const hidden = lines.length - head - tail;
  if (hidden < MIN_HIDDEN) return { head: lines, hidden: 0, tail: [] };
  return { head: lines.slice(0, head), hidden, tail: tail === 0 ? [] : lines.slice(-tail) };
}

/** More than a person reads at once, and few enough to be drawn in a moment. */
const MAX_CHARS = 2_000;

export function LongText({ text }: { readonly text: string }) {
  const isWhole = useSignal(false);
  if (isWhole.value || text.length <= MAX_CHARS) return <>{text}</>;
  return (
    <>
      {text.slice(0, MAX_CHARS)}
      <button
        type="button"
        class="show-all"
        onClick={() => {
          isWhole.value = true;
        }}
      >
        Show all {text.length.toLocaleString("en-US")} characters
      </button>
    </>
  );
}
