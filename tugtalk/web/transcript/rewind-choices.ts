/** The choices for going back to before a message, in words. Pure. */
import type { RewindPreview } from "../../client/rewind-models.ts";
import { formatCount } from "../elements/format-amount.ts";

export type What = "both" | "conversation" | "files";

type Choice = {
  readonly what: What;
  readonly label: string;
  /** Why it cannot be chosen. */
  readonly problem?: string;
};

/** Why no file is put back; undefined if files are. */
export function fileProblem({ files }: RewindPreview): string | undefined {
  if (!files.ok) return files.error;
  return files.paths.length === 0
    ? "Claude's editing tools have changed no file since."
    : undefined;
}

/** Most people want the first choice without a problem. */
export function choicesOf(preview: RewindPreview): readonly Choice[] {
  const { conversation } = preview;
  const ofFiles = problemOf(fileProblem(preview));
  const ofConversation = problemOf(conversation.ok ? undefined : conversation.error);
  return [
    { what: "both", label: "Files and conversation", ...ofConversation, ...ofFiles },
    { what: "conversation", label: "Conversation only", ...ofConversation },
    { what: "files", label: "Files only", ...ofFiles },
  ];
}

function problemOf(problem: string | undefined): Pick<Choice, "problem"> {
  return problem === undefined ? {} : { problem };
}

/** How many files, and how many lines; empty where nothing is put back. */
export function filesText({ files }: RewindPreview): string {
  if (!files.ok || files.paths.length === 0) return "";
  const { paths, insertions, deletions } = files;
  const back = `${formatCount(insertions, "line")} ${insertions === 1 ? "comes" : "come"} back`;
  return `${formatCount(paths.length, "file")}: ${back}, ${formatCount(deletions, "line")} ${deletions === 1 ? "goes" : "go"}.`;
}
