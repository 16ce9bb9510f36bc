/** A change of a file, with the numbers of its lines. */
import type { DiffHunk } from "../../src/messages/prompt-models.ts";
import { type DiffRow, diffRows } from "./diff-rows.ts";
import { FilePath } from "./file-path.tsx";
import { Folded } from "./folded.tsx";
import { LineCounts } from "./line-counts.tsx";
import { LongText } from "./long-text.tsx";
import type { Segment } from "./word-marks.ts";

export type DiffProps = {
  readonly hunks: readonly DiffHunk[];
  readonly filePath: string;
  /** What it does to the file: `Created`, `Updated`. */
  readonly verb?: string;
};

const SIZE = { head: 60, tail: 10 };

export function Diff({ hunks, filePath, verb }: DiffProps) {
  return (
    <figure class="diff">
      <figcaption class="diff-header">
        {verb !== undefined && <span class="diff-verb">{verb}</span>}
        <FilePath path={filePath} />
        <LineCounts hunks={hunks} />
      </figcaption>
      <DiffRows hunks={hunks} />
    </figure>
  );
}

/** The lines alone. */
export function DiffRows({ hunks }: Pick<DiffProps, "hunks">) {
  return (
    <div class="diff-rows">
      <Folded
        lines={diffRows(hunks)}
        size={SIZE}
        draw={(row, index) => <Row key={index} row={row} />}
      />
    </div>
  );
}

const MARKS = { kept: " ", removed: "−", added: "+", note: "", gap: "⋯" } as const;

function Row({ row: { kind, oldNumber, newNumber, segments } }: { readonly row: DiffRow }) {
  return (
    <div class={`diff-row diff-${kind}`}>
      <span class="diff-number">{oldNumber}</span>
      <span class="diff-number">{newNumber}</span>
      <span class="diff-mark">{MARKS[kind]}</span>
      <span class="diff-text">
        {segments.map((segment, index) => (
          <SegmentView key={index} segment={segment} />
        ))}
      </span>
    </div>
  );
}

function SegmentView({ segment: { text, isMarked } }: { readonly segment: Segment }) {
  return isMarked ? <mark>{text}</mark> : <LongText text={text} />;
}
