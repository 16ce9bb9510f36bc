/**
 * The files that a session has changed, from its tool calls: each as it was before the first change and as
 * it is after the last one. Pure.
 *
 * Changes to files by commands are not known. The calls of subagents have no structured results: the
 * outcome of one is known only if an earlier call has shown the file.
 */
import { type AgentItems, agentItems, shownItems } from "../../client/agent-items.ts";
import { textOf } from "../../client/claude-value.ts";
import { diffTexts } from "../../client/diff.ts";
import type { DiffHunk } from "../../client/prompt-models.ts";
import type { ToolItem, TranscriptEntry } from "../../client/transcript-models.ts";
import { viewDiff } from "../../client/views/diff-view.ts";
import { editedText } from "../../client/views/edited-text.ts";
import { viewInput } from "../../client/views/input-preview.ts";
import { toolRow } from "../../client/views/tools.ts";

export type FileChange = {
  readonly filePath: string;
  /** Absent if a text of the file is not known: `hunks` are then the hunks of the calls. */
  readonly texts?: FileTexts;
  readonly hunks: readonly DiffHunk[];
};

/** Null: there was no file. */
export type FileTexts = { readonly before: string | null; readonly after: string };

/** The calls that have changed files, in their order, without the calls whose files were put back. */
export function changingCalls(entries: readonly TranscriptEntry[]): ToolItem[] {
  const kept = entries.filter(({ isPutBack }) => isPutBack !== true);
  return kept.flatMap(callsOf).filter(({ name }) => toolRow(name)?.changesFile === true);
}

/** The changed files in the order of their first changes, without files that have their first text again. */
export function fileChanges(calls: readonly ToolItem[]): FileChange[] {
  const files = new Map<string, FileChange>();
  for (const call of calls) {
    const change = changeOf(call, files);
    if (change !== undefined) files.set(change.filePath, change);
  }
  return [...files.values()].filter(({ hunks, texts }) => hunks.length > 0 || isNew(texts));
}

/** An empty file has no lines. */
function isNew(texts: FileTexts | undefined): boolean {
  return texts?.before === null;
}

/** The calls that have succeeded. The calls of an agent stand in the place of the call that started it. */
function callsOf(entry: TranscriptEntry): ToolItem[] {
  return callsIn({ items: shownItems(entry), agents: entry.agents });
}

function callsIn(agent: AgentItems | undefined): ToolItem[] {
  const { items = [], agents = {} } = agent ?? {};
  return items.flatMap((item) => {
    if (item.kind !== "tool") return [];
    const inside = callsIn(agentItems(agents, item.toolUseId));
    return item.status === "done" ? [...inside, item] : inside;
  });
}

function changeOf(call: ToolItem, files: ReadonlyMap<string, FileChange>): FileChange | undefined {
  const diff = viewDiff(call.structured);
  if (diff === undefined) return changeByInput(call, files);
  const { filePath, originalFile, structuredPatch, editType } = diff;
  const known = files.get(filePath);
  const original = editType === "create" ? null : (originalFile ?? known?.texts?.after);
  const after =
    diff.newFile ?? (original === undefined ? undefined : editedText(original ?? "", call));
  if (original === undefined || after === undefined)
    return withHunks(filePath, known, structuredPatch);
  return withTexts(filePath, known, { before: original, after });
}

/** A call without a structured result. */
function changeByInput(
  call: ToolItem,
  files: ReadonlyMap<string, FileChange>,
): FileChange | undefined {
  const { name = "", input = {} } = call;
  const { body } = viewInput(name, input);
  const filePath = textOf(input["file_path"]);
  if (body.kind !== "diff" || filePath === undefined) return undefined;
  const known = files.get(filePath);
  const before = known?.texts?.after;
  const after =
    before === undefined ? undefined : (textOf(input["content"]) ?? editedText(before, call));
  if (before === undefined || after === undefined) return withHunks(filePath, known, body.hunks);
  return withTexts(filePath, known, { before, after });
}

/** Adds the texts of a later change: the text before the first change stays. */
function withTexts(filePath: string, known: FileChange | undefined, texts: FileTexts): FileChange {
  if (known !== undefined && known.texts === undefined)
    return withHunks(filePath, known, diffTexts(texts.before ?? "", texts.after));
  const before = known?.texts === undefined ? texts.before : known.texts.before;
  const whole = { before, after: texts.after };
  return { filePath, texts: whole, hunks: diffTexts(before ?? "", texts.after) };
}

function withHunks(
  filePath: string,
  known: FileChange | undefined,
  hunks: readonly DiffHunk[],
): FileChange {
  return { filePath, hunks: [...(known?.hunks ?? []), ...hunks] };
}
