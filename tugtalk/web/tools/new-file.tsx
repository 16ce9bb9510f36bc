/** A file that a tool call has created. */
import { Code } from "../markdown/code.tsx";
import { FilePath } from "./file-path.tsx";

export type NewFileProps = { readonly filePath: string; readonly text: string };

export function NewFile({ filePath, text }: NewFileProps) {
  return (
    <div class="new-file">
      <p class="row small">
        <span class="muted">Created</span>
        <FilePath path={filePath} />
      </p>
      <Code code={text} language={endingOf(filePath)} />
    </div>
  );
}

/** `ts` of `greet.ts`: highlighters know languages by it. */
function endingOf(filePath: string): string {
  return /\.(\w+)$/.exec(filePath)?.[1] ?? "";
}
