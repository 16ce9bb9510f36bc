/** A change of a file, with the numbers of its lines. */
import type { DiffHunk } from "../../client/prompt-models.ts";
import { countChanges, type DiffRow, diffRows } from "./diff-rows.ts";
import { FilePath } from "./file-path.tsx";
import { Folded, LongText } from "./folded.tsx";
import type { Segment } from "./word-marks.ts";

type DiffProps = {
  readonly hunks: readonly DiffHunk[];
  /** Absent where it stands above the diff already. */
  readonly filePath?: string | undefined;
  /** The change to the file, in a word: `Created`, `Updated`. */
  readonly verb?: string;
  /** Whether the lines have their numbers in the file. */
  readonly isPlaced?: boolean;
};

export function Diff({ hunks, filePath, verb, isPlaced = true }: DiffProps) {
  return (
    <figure class={isPlaced ? "diff" : "diff diff-unplaced"}>
      {filePath !== undefined && (
        <figcaption class="diff-header line small">
          {verb !== undefined && <span class="diff-verb muted">{verb}</span>}
          <FilePath path={filePath} />
          <LineCounts hunks={hunks} />
        </figcaption>
      )}
      <DiffRows hunks={hunks} />
    </figure>
  );
}

/** The lines alone. */
export function DiffRows({ hunks }: Pick<DiffProps, "hunks">) {
  const rows = diffRows(hunks);
  const numbers = rows.map(({ oldNumber = 0, newNumber = 0 }) => Math.max(oldNumber, newNumber));
  return (
    <div
      class="diff-rows"
      style={digitsStyle(numbers.reduce((one, other) => Math.max(one, other), 0))}
    >
      <Folded
        lines={rows}
        size={{ head: 60, tail: 10 }}
        draw={(row, index) => <Row key={index} row={row} />}
      />
    </div>
  );
}

/** Room for the numbers of lines up to this one. */
export function digitsStyle(last: number) {
  return { "--digits": Math.max(String(last).length, 3) };
}

const MARKS = { kept: " ", removed: "−", added: "+", note: "", gap: "⋯" } as const;

function Row({ row: { kind, oldNumber, newNumber, segments } }: { readonly row: DiffRow }) {
  return (
    <div class={`diff-row diff-${kind}`}>
      <span class="diff-number">{oldNumber}</span>
      <span class="diff-number">{newNumber}</span>
      <span class="diff-mark">{MARKS[kind]}</span>
      <span class="grow">
        {segments().map((segment, index) => (
          <SegmentView key={index} segment={segment} />
        ))}
      </span>
    </div>
  );
}

function SegmentView({ segment: { text, isMarked } }: { readonly segment: Segment }) {
  return isMarked ? <mark>{text}</mark> : <LongText text={text} />;
}

/** How many lines a change adds and removes. */
export function LineCounts({ hunks }: { readonly hunks: readonly DiffHunk[] }) {
  return <SumOfLines {...countChanges(hunks)} />;
}

type SumProps = { readonly added: number; readonly removed: number };

export function SumOfLines({ added, removed }: SumProps) {
  return (
    <span
      class="line-counts numeric tight"
      role="img"
      aria-label={`${added} added, ${removed} removed`}
    >
      {added > 0 && <span class="good-text">{`+${added}`}</span>}
      {removed > 0 && <span class="bad-text">{`−${removed}`}</span>}
    </span>
  );
}
