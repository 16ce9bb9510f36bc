/** Lines of a file with their numbers. */
import { Folded } from "./folded.tsx";
import { LongText } from "./long-text.tsx";

export type FileViewProps = { readonly lines: readonly string[]; readonly startLine: number };

const SIZE = { head: 30, tail: 5 };

export function FileView({ lines, startLine }: FileViewProps) {
  return (
    <div class="file-view">
      <Folded
        lines={lines}
        size={SIZE}
        draw={(line, index) => (
          <div key={index} class="file-line">
            <span class="diff-number">{startLine + index}</span>
            <span class="diff-text">
              <LongText text={line} />
            </span>
          </div>
        )}
      />
    </div>
  );
}
