/** The dialog with the files that Claude has changed in this session. */
import { type Signal, useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { ToolItem, TranscriptEntry } from "../../client/transcript-models.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { CopyButton } from "../elements/copy-button.tsx";
import { lazy } from "../elements/lazy.tsx";
import { isSameList } from "../elements/same-list.ts";
import { FolderProvider, useFolderOf } from "../store/folder.ts";
import type { SessionStore } from "../store/session-store.ts";
import { DiffRows, LineCounts } from "../tools/diff.tsx";
import { FilePath } from "../tools/file-path.tsx";
import { changingCalls, type FileChange, fileChanges } from "./file-changes.ts";
import { formatPatch, type Patch } from "./format-patch.ts";
import { useOlderEntries } from "./older-entries.ts";
import { Panel, type SessionPanelProps } from "./panel.tsx";

const GitChanges = lazy(async () => (await import("./git-changes.tsx")).GitChanges);

export function Changes({ session }: SessionPanelProps) {
  const isGit = useSignal(false);
  const older = useOlderEntries(session);
  const folder = useFolderOf(session.id);
  return (
    <FolderProvider value={folder}>
      <Panel title="Changed files" class="wide">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend. */}
        <div class="row tight" role="group" aria-label="Which changes">
          <Which isGit={isGit} value={false} label="By Claude's tools" />
          <Which isGit={isGit} value={true} label="Against Git" />
        </div>
        {isGit.value ? (
          <GitChanges session={session} />
        ) : (
          <ToolChanges session={session} older={older} folder={folder} />
        )}
      </Panel>
    </FolderProvider>
  );
}

type WhichProps = {
  readonly isGit: Signal<boolean>;
  readonly value: boolean;
  readonly label: string;
};

function Which({ isGit, value, label }: WhichProps) {
  return (
    <button
      type="button"
      class="small"
      aria-pressed={isGit.value === value}
      onClick={() => {
        isGit.value = value;
      }}
    >
      {label}
    </button>
  );
}

type ToolChangesProps = SessionPanelProps & {
  readonly older: ReturnType<typeof useOlderEntries>;
  readonly folder: string;
};

function ToolChanges({ session, older, folder }: ToolChangesProps) {
  const changes = useChanges(session, older.entries);
  const patch = useMemo(() => formatPatch(changes, folder), [changes, folder]);
  return (
    <>
      <div class="changes-head row">
        <p class="muted" role="status">
          {older.isLoading ? `Reading older turns… ${older.entries.length}` : countText(changes)}
        </p>
        {patch.text !== "" && <CopyButton text={patch.text} label="Copy as patch" isNamed />}
      </div>
      <ul class="list">
        {changes.map((change) => (
          <ChangedFile key={change.filePath} change={change} />
        ))}
      </ul>
      <Omitted patch={patch} />
    </>
  );
}

/** Changes by Claude's commands are not among them. */
function countText({ length }: readonly FileChange[]): string {
  if (length === 0) return "No file was changed by Claude's editing tools.";
  return `${length} ${length === 1 ? "file was" : "files were"} changed by Claude's editing tools.`;
}

/** Computed anew only when there is another call: texts stream much more often. */
function useChanges(session: SessionStore, older: readonly TranscriptEntry[]): FileChange[] {
  const latest = useRef<readonly ToolItem[]>([]);
  const known = new Set([...session.entries.value, ...session.openEntries.value]);
  const keys = new Set([...known].map(({ key }) => key));
  const before = older.filter(({ key }) => !keys.has(key));
  const calls = changingCalls([...before, ...known]);
  if (!isSameList(calls, latest.current)) latest.current = calls;
  return useMemo(() => fileChanges(latest.current), [latest.current]);
}

function Omitted({ patch: { omitted } }: { readonly patch: Patch }) {
  if (omitted.length === 0) return null;
  return (
    <p class="muted small">
      Not in the patch, because they are outside of the folder or were changed by an agent:{" "}
      {omitted.map(showHidden).join(", ")}
    </p>
  );
}

type ChangedFileProps = { readonly change: FileChange };

/** One file that Claude has changed: a line, and behind it the change. */
function ChangedFile({ change }: ChangedFileProps) {
  const isOpen = useSignal(false);
  const { filePath, texts, hunks } = change;
  return (
    <li>
      <details
        class="changed-file"
        onToggle={({ currentTarget }) => {
          isOpen.value = currentTarget.open;
        }}
      >
        <summary class="line">
          <FilePath path={filePath} />
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
