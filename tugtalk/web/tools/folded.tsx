/** Lines of which the middle is left out until a person wants to see all. */
import { useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { memo } from "../elements/memo.tsx";

export type FoldedProps<Line> = {
  readonly lines: readonly Line[];
  readonly size: FoldSize;
  readonly draw: (line: Line, index: number) => ComponentChildren;
  /** The name of the lines in the button: `lines`. */
  readonly noun?: string;
};

export function Folded<Line>({ lines, size, draw, noun = "lines" }: FoldedProps<Line>) {
  const { drawn, showMore } = useSteps();
  const fold = foldLines(lines, { ...size, head: size.head + drawn });
  const blocks = { lines, head: size.head, draw };
  if (fold.hidden === 0) return <Blocks {...blocks} end={lines.length} />;
  const count = `${lines.length.toLocaleString("en-US")} ${noun}`;
  const tailStart = lines.length - fold.tail.length;
  return (
    <>
      <Blocks {...blocks} end={fold.head.length} />
      <button type="button" class="show-all" onClick={showMore}>
        {fold.hidden <= STEP
          ? `Show all ${count}`
          : `Show ${STEP.toLocaleString("en-US")} more of ${count}`}
      </button>
      {fold.tail.map((line, index) => draw(line, tailStart + index))}
    </>
  );
}

/** How many more lines one click shows. */
const STEP = 1_000;

/** How many lines form a block, which the browser lays out only near the visible part. */
const BLOCK = 100;

/** How many lines are drawn in one frame. */
const PER_FRAME = 2 * BLOCK;

/**
 * How many more lines are drawn. The lines of a step come in several frames, so that the page does not
 * freeze.
 */
function useSteps(): { readonly drawn: number; readonly showMore: () => void } {
  const drawn = useSignal(0);
  const wanted = useSignal(0);
  useSignalEffect(() => {
    if (drawn.value >= wanted.value) return;
    const next = requestAnimationFrame(() => {
      drawn.value += PER_FRAME;
    });
    return () => cancelAnimationFrame(next);
  });
  const showMore = () => {
    wanted.value += STEP;
    drawn.value += PER_FRAME;
  };
  return { drawn: drawn.value, showMore };
}

type BlocksProps<Line> = Pick<FoldedProps<Line>, "lines" | "draw"> & {
  /** How many are in the first block. */
  readonly head: number;
  readonly end: number;
};

/** The lines up to an end. Lines that are there already are not drawn again. */
function Blocks<Line>({ lines, head, end, draw }: BlocksProps<Line>) {
  const count = Math.max(Math.ceil((end - head) / BLOCK), 0);
  const starts = Array.from({ length: count }, (_, at) => head + at * BLOCK);
  return (
    <>
      {[0, ...starts].map((start) => (
        <Block
          key={start}
          lines={lines}
          start={start}
          end={Math.min(start === 0 ? head : start + BLOCK, end)}
          draw={draw as Draw}
        />
      ))}
    </>
  );
}

type Draw = FoldedProps<unknown>["draw"];

type BlockProps = {
  readonly lines: readonly unknown[];
  readonly start: number;
  readonly end: number;
  readonly draw: Draw;
};

const Block = memo(({ lines, start, end, draw }: BlockProps) => {
  const drawn = lines.slice(start, end).map((line, at) => draw(line, start + at));
  if (start === 0) return <>{drawn}</>;
  return (
    <div class="line-block" style={{ "--lines": end - start }}>
      {drawn}
    </div>
  );
});

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
  return text.length <= MAX_CHARS ? text : <CutText text={text} />;
}

function CutText({ text }: { readonly text: string }) {
  const isWhole = useSignal(false);
  if (isWhole.value) return <>{text}</>;
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
