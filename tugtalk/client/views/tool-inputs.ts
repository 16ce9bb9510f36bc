/** What each kind of tool shows of the input of a call. Undefined for an input of an unexpected shape. Pure. */
import type { DiffHunk, InputBody } from "../../src/messages/prompt-models.ts";
import { defined, type Fields, filledText, objectsOf, textOf } from "../claude-value.ts";
import { diffTexts } from "../diff.ts";
import { viewQuestions } from "./question-view.ts";
import { showHidden } from "./visible-text.ts";

/** A body, and the fields of the input that it shows. */
export type ShownInput = { readonly body: InputBody; readonly fields: readonly string[] };

export function questionsInput({ questions }: Fields): ShownInput | undefined {
  const views = viewQuestions(questions);
  return views.length === 0
    ? undefined
    : { body: { kind: "questions", questions: views }, fields: ["questions"] };
}

/** The body that is made of one text. */
export function oneField(
  input: Fields,
  name: string,
  build: (text: string) => InputBody,
): ShownInput | undefined {
  const text = filledText(input[name]);
  return text === undefined ? undefined : { body: build(showHidden(text)), fields: [name] };
}

export function commandInput(input: Fields): ShownInput | undefined {
  const background = input["run_in_background"];
  const isBackground = background === true;
  const shown = oneField(input, "command", (command) => ({
    kind: "command",
    command,
    isBackground,
  }));
  const isShown = typeof background === "boolean";
  return (
    shown && { ...shown, fields: [...shown.fields, ...(isShown ? ["run_in_background"] : [])] }
  );
}

export function agentInput(input: Fields): ShownInput | undefined {
  const agentType = filledText(input["subagent_type"]);
  const shown = oneField(input, "prompt", (prompt) => ({
    kind: "agent",
    ...defined({ agentType: agentType && showHidden(agentType) }),
    prompt,
  }));
  const isShown = agentType !== undefined;
  return shown && { ...shown, fields: [...shown.fields, ...(isShown ? ["subagent_type"] : [])] };
}

export function editInput(input: Fields): ShownInput | undefined {
  const hunks = replacementHunks(input);
  return hunks && diffOf(input, "file_path", hunks, ["old_string", "new_string"]);
}

export function multiEditInput(input: Fields): ShownInput | undefined {
  const edits = input["edits"];
  const hunks = objectsOf(edits).map(replacementHunks);
  if (!Array.isArray(edits) || hunks.length < edits.length) return undefined;
  if (!hunks.every((hunk) => hunk !== undefined)) return undefined;
  return diffOf(input, "file_path", hunks.flat(), ["edits"]);
}

export function writeInput(input: Fields, path: string, content: string): ShownInput | undefined {
  const text = textOf(input[content]);
  return text === undefined ? undefined : diffOf(input, path, diffTexts("", text), [content]);
}

export function notebookInput(input: Fields): ShownInput | undefined {
  return input["edit_mode"] === "delete"
    ? oneField(input, "notebook_path", (filePath) => ({ kind: "file", filePath }))
    : writeInput(input, "notebook_path", "new_source");
}

function replacementHunks({ old_string, new_string }: Fields): DiffHunk[] | undefined {
  const before = textOf(old_string);
  const after = textOf(new_string);
  return before === undefined || after === undefined ? undefined : diffTexts(before, after);
}

function diffOf(
  input: Fields,
  path: string,
  hunks: readonly DiffHunk[],
  shown: readonly string[],
): ShownInput | undefined {
  const filePath = filledText(input[path]);
  if (filePath === undefined) return undefined;
  const visible = hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(showHidden) }));
  return {
    body: { kind: "diff", filePath: showHidden(filePath), hunks: visible },
    fields: [path, ...shown],
  };
}
