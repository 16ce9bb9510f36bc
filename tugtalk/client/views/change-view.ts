/** The change of a call that has not run, to a file whose present text is known. Pure. */

import { type Fields, textOf } from "../claude-value.ts";
import { diffTexts } from "../diff.ts";
import type { DiffHunk } from "../prompt-models.ts";
import { editedText } from "./edited-text.ts";
import { showHidden } from "./visible-text.ts";

/**
 * The change with the numbers of the lines of the file, from the input of a Write, Edit or MultiEdit.
 * Undefined where the call would not change this text, or not in its lines.
 */
export function viewChange(input: Fields, text: string): DiffHunk[] | undefined {
  const before = text.replaceAll("\r\n", "\n");
  const after = textOf(input["content"]) ?? editedText(before, { input });
  if (after === undefined) return undefined;
  const hunks = diffTexts(before, after);
  if (hunks.length === 0) return undefined;
  return hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(showHidden) }));
}
