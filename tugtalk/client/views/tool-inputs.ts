/** The input of a call by each kind of tool, as it is shown. Undefined for an input of an unexpected shape. Pure. */

import { type Fields, filledText, objectsOf, present, textOf } from "../claude-value.ts";
import { diffTexts } from "../diff.ts";
import type { DiffHunk, QuestionView } from "../prompt-models.ts";
import { viewQuestions } from "./question-view.ts";
import { firstLine, onOneLine, showHidden, showValue } from "./visible-text.ts";

/** The forms of several tools. A row of the table may have one of its own. */
export type SharedBody =
  | { readonly kind: "command"; readonly command: string; readonly isBackground: boolean }
  /** A change of a file. Lines are counted from the start of the replaced text. */
  | {
      readonly kind: "diff";
      readonly filePath: string;
      readonly hunks: readonly DiffHunk[];
      /** They are the whole new text: whether it replaces another one is not in the call. */
      readonly isWhole?: true;
    }
  | { readonly kind: "file"; readonly filePath: string }
  | { readonly kind: "address"; readonly url: string }
  | { readonly kind: "search"; readonly query: string }
  | {
      readonly kind: "agent";
      readonly agentType?: string;
      readonly prompt: string;
      readonly isBackground: boolean;
    }
  | { readonly kind: "plan"; readonly plan: string }
  | { readonly kind: "questions"; readonly questions: readonly QuestionView[] };

export type ShownInput<Body> = {
  readonly body: Body;
  /** The fields of the input that the body shows. */
  readonly fields: readonly string[];
  /** The effect of a call, on one line. */
  readonly summary: string;
};

export function questionsInput({ questions }: Fields): ShownInput<SharedBody> | undefined {
  const views = viewQuestions(questions);
  return (
    views[0] && {
      body: { kind: "questions", questions: views },
      fields: ["questions"],
      summary: views[0].question,
    }
  );
}

/** The body that is made of one text. */
export function oneField(
  input: Fields,
  name: string,
  build: (text: string) => SharedBody,
): ShownInput<SharedBody> | undefined {
  const field = filledText(input[name]);
  if (field === undefined) return undefined;
  const text = showHidden(field);
  return { body: build(text), fields: [name], summary: text };
}

export function commandInput(input: Fields): ShownInput<SharedBody> | undefined {
  const { isBackground, fields } = backgroundOf(input);
  const shown = oneField(input, "command", (command) => ({
    kind: "command",
    command,
    isBackground,
  }));
  return (
    shown && {
      ...shown,
      fields: [...shown.fields, ...fields],
      summary: onOneLine(shown.summary),
    }
  );
}

function backgroundOf({ run_in_background: background }: Fields) {
  const fields = typeof background === "boolean" ? ["run_in_background"] : [];
  return { isBackground: background === true, fields };
}

export function agentInput(input: Fields): ShownInput<SharedBody> | undefined {
  const { description } = input;
  const { isBackground, fields } = backgroundOf(input);
  const agentType = filledText(input["subagent_type"]);
  const shown = oneField(input, "prompt", (prompt) => ({
    kind: "agent",
    ...present({ agentType: agentType && showHidden(agentType) }),
    prompt,
    isBackground,
  }));
  const more = agentType === undefined ? [] : ["subagent_type"];
  return (
    shown && {
      ...shown,
      fields: [...shown.fields, ...more, ...fields],
      summary: firstLine(description === undefined ? shown.summary : showValue(description)),
    }
  );
}

export function planInput(input: Fields): ShownInput<SharedBody> | undefined {
  const shown = oneField(input, "plan", (plan) => ({ kind: "plan", plan }));
  return shown && { ...shown, summary: firstLine(shown.summary).replace(/^#+\s+/, "") };
}

export function editInput(input: Fields): ShownInput<SharedBody> | undefined {
  const hunks = replacementHunks(input);
  return hunks && diffOf(input, "file_path", hunks, ["old_string", "new_string"]);
}

export function multiEditInput(input: Fields): ShownInput<SharedBody> | undefined {
  const edits = input["edits"];
  const hunks = objectsOf(edits).map(replacementHunks);
  if (!Array.isArray(edits) || hunks.length < edits.length) return undefined;
  if (!hunks.every((hunk) => hunk !== undefined)) return undefined;
  return diffOf(input, "file_path", hunks.flat(), ["edits"]);
}

function writeInput(
  input: Fields,
  path: string,
  content: string,
): ShownInput<SharedBody> | undefined {
  const text = textOf(input[content]);
  return text === undefined ? undefined : diffOf(input, path, diffTexts("", text), [content]);
}

/** The whole text of a file. */
export function fileInput(input: Fields): ShownInput<SharedBody> | undefined {
  const shown = writeInput(input, "file_path", "content");
  return shown?.body.kind === "diff"
    ? { ...shown, body: { ...shown.body, isWhole: true } }
    : undefined;
}

export function notebookInput(input: Fields): ShownInput<SharedBody> | undefined {
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
): ShownInput<SharedBody> | undefined {
  const filePath = filledText(input[path]);
  if (filePath === undefined) return undefined;
  const visible = hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(showHidden) }));
  const summary = showHidden(filePath);
  return {
    body: { kind: "diff", filePath: summary, hunks: visible },
    fields: [path, ...shown],
    summary,
  };
}
