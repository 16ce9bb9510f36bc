/** Lines of which the middle is left out until a person wants to see all. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { type FoldSize, foldLines } from "./fold.ts";

export type FoldedProps<Line> = {
  readonly lines: readonly Line[];
  readonly size: FoldSize;
  readonly draw: (line: Line, index: number) => ComponentChildren;
  /** What the lines are called in the button: `lines`. */
  readonly noun?: string;
};

export function Folded<Line>({ lines, size, draw, noun = "lines" }: FoldedProps<Line>) {
  const isWhole = useSignal(false);
  const fold = isWhole.value ? undefined : foldLines(lines, size);
  if (fold === undefined || fold.hidden === 0) return <>{lines.map(draw)}</>;
  const tailStart = lines.length - fold.tail.length;
  return (
    <>
      {fold.head.map(draw)}
      <button
        type="button"
        class="show-all"
        onClick={() => {
          isWhole.value = true;
        }}
      >
        Show all {lines.length.toLocaleString("en-US")} {noun}
      </button>
      {fold.tail.map((line, index) => draw(line, tailStart + index))}
    </>
  );
}
