/** The changes in the folder of a session since its latest commit, as Claude reports them. */
import { useComputed, useSignal } from "@preact/signals";
import { showHidden } from "../../client/views/visible-text.ts";
import {
  viewWorkspaceDiff,
  type WorkspaceDiff,
  type WorkspaceFile,
  type WorkspaceLack,
} from "../../client/views/workspace-diff-view.ts";
import type { SessionStore } from "../store/session-store.ts";
import { DiffRows, SumOfLines } from "../tools/diff.tsx";
import { FilePath } from "../tools/file-path.tsx";
import { RefreshButton, useControlRequest } from "./control-request.tsx";

export function GitChanges({ session }: { readonly session: SessionStore }) {
  const request = useControlRequest(session, "get_workspace_diff");
  const diff = useComputed(() => viewWorkspaceDiff(request.answer.value)).value;
  const isUnasked = !request.isBusy.value && request.error.value === undefined;
  const files = diff?.kind === "diff" ? diff.files : [];
  return (
    <>
      <div class="changes-head row">
        <p class="muted" role="status">
          {diff === undefined
            ? isUnasked && "Claude does not run, and was not asked."
            : statusText(diff)}
        </p>
        <RefreshButton request={request} />
      </div>
      <ul class="list">
        {files.map((file) => (
          <GitFile key={file.path} file={file} />
        ))}
      </ul>
      {diff?.kind === "diff" && <p class="muted small">{omittedText(diff)}</p>}
    </>
  );
}

/** Why there is no diff, by Claude's word for it. */
const REASONS: Readonly<Record<string, string>> = {
  "no-repository": "The folder is in no Git repository.",
  "repository-refused": "Claude does not read this Git repository.",
  "repository-busy": "Git is at work in this repository. Try again later.",
  "root-moved": "Claude has moved to another folder meanwhile. Try again.",
};

function statusText(diff: WorkspaceDiff): string {
  if (diff.kind === "none") return REASONS[diff.reason] ?? "Claude could not read what differs.";
  const { files, addedLines, removedLines } = diff;
  const isOne = files.length === 1;
  if (files.length === 0) return "Nothing differs from the latest commit.";
  const lines = `+${addedLines} −${removedLines}`;
  return `${isOne ? "1 file differs" : `${files.length} files differ`} from the latest commit: ${lines}`;
}

function omittedText({
  omittedFiles,
  isOmittedExact,
}: Extract<WorkspaceDiff, { kind: "diff" }>): string {
  const count = isOmittedExact ? String(omittedFiles) : `at least ${omittedFiles}`;
  const more = omittedFiles > 0 ? `Claude names no more of them: ${count} more differ. ` : "";
  return `${more}Files that Git did not know when Claude started are left out.`;
}

/** The line of a file, which opens its differences. */
function GitFile({ file }: { readonly file: WorkspaceFile }) {
  const isOpen = useSignal(false);
  const { path, previousPath, kind, lack, addedLines, removedLines } = file;
  return (
    <li>
      <details
        class="changed-file"
        onToggle={({ currentTarget }) => {
          isOpen.value = currentTarget.open;
        }}
      >
        <summary class="line">
          <FilePath path={path} />
          {kind !== "modified" && (
            <span class={kind === "added" ? "chip chip-good" : "chip"}>{CHIPS[kind]}</span>
          )}
          {lack === "untracked" && <span class="chip">not in Git yet</span>}
          {lack === "binary" && <span class="chip">binary</span>}
          <SumOfLines added={addedLines} removed={removedLines} />
        </summary>
        {isOpen.value && (
          <div class="stack tight">
            {previousPath !== undefined && (
              <p class="muted small">It was {showHidden(previousPath)}.</p>
            )}
            <Lines file={file} />
          </div>
        )}
      </details>
    </li>
  );
}

const CHIPS = { added: "new", removed: "deleted", renamed: "renamed" } as const;

const LACKS: Readonly<Record<WorkspaceLack, string>> = {
  binary: "A binary file, of which no lines are shown.",
  untracked: "Git does not know this file yet, and Claude gives no lines of it.",
  large: "Too much differs for Claude to give the lines.",
  restricted: "Claude does not give the lines of this file.",
  cut: "Claude gives the beginning of what differs.",
};

function Lines({ file: { hunks, lack } }: { readonly file: WorkspaceFile }) {
  const text = lack === undefined ? hunks.length === 0 && "No line differs." : LACKS[lack];
  return (
    <>
      {hunks.length > 0 && (
        <div class="diff">
          <DiffRows hunks={hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(showHidden) }))} />
        </div>
      )}
      {text !== false && <p class="muted small">{text}</p>}
    </>
  );
}
