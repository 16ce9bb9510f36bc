/** One file that Claude has changed: a line, and behind it the change. */
import { useSignal } from "@preact/signals";
import { showHidden } from "../../client/views/visible-text.ts";
import { DiffRows } from "../tools/diff.tsx";
import { FilePath } from "../tools/file-path.tsx";
import { LineCounts } from "../tools/line-counts.tsx";
import type { FileChange } from "./file-changes.ts";

export type ChangedFileProps = {
  readonly change: FileChange;
  /** Of the session: paths in it are shown without it. */
  readonly folder: string;
};

export function ChangedFile({ change, folder }: ChangedFileProps) {
  const isOpen = useSignal(false);
  const { filePath, texts, hunks } = change;
  const isIn = filePath.startsWith(`${folder}/`);
  const path = showHidden(isIn ? filePath.slice(folder.length + 1) : filePath);
  return (
    <li>
      <details
        class="changed-file"
        onToggle={({ currentTarget }) => {
          isOpen.value = currentTarget.open;
        }}
      >
        <summary>
          <FilePath path={path} />
          {texts?.before === null && <span class="chip chip-good">new</span>}
          <LineCounts hunks={hunks} />
        </summary>
        {isOpen.value && (
          <div class="diff">
            <DiffRows hunks={visible(change)} />
          </div>
        )}
      </details>
    </li>
  );
}

function visible({ hunks }: FileChange): FileChange["hunks"] {
  return hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(showHidden) }));
}
