/** What a tool call would do, from its input alone, by kind of tool. Pure. */
import type {
  DiffHunk,
  InputBody,
  InputPreview,
  NamedText,
} from "../../src/messages/prompt-models.ts";
import { defined, type Fields, filledText, objectsOf, textOf } from "../claude-value.ts";
import { diffTexts } from "../diff.ts";
import { viewQuestions } from "./question-view.ts";
import { showHidden, showValue } from "./visible-text.ts";

/** A body, and the fields of the input that it shows. */
type Shown = { readonly body: InputBody; readonly fields: readonly string[] };

const NOTHING: Shown = { body: { kind: "fields" }, fields: [] };

/** The preview of one call. An input of an unexpected shape is shown field by field. */
export function viewInput(toolName: string, input: Fields): InputPreview {
  const { body, fields } = bodyOf(toolName, input) ?? NOTHING;
  return { body, rest: viewFields(input, fields) };
}

/** The fields of an object in full, as texts, but for those that are shown elsewhere. */
export function viewFields(input: Fields, shown: readonly string[] = []): NamedText[] {
  return Object.entries(input)
    .filter(([name]) => !shown.includes(name))
    .map(([name, value]) => ({ name: showHidden(name), text: showValue(value) }));
}

function bodyOf(toolName: string, input: Fields): Shown | undefined {
  switch (toolName) {
    case "Bash":
    case "PowerShell":
      return commandOf(input);
    case "Edit":
      return editOf(input);
    case "MultiEdit":
      return multiEditOf(input);
    case "Write":
      return writeOf(input, "file_path", "content");
    case "NotebookEdit":
      return input["edit_mode"] === "delete"
        ? fileOf(input, "notebook_path")
        : writeOf(input, "notebook_path", "new_source");
    case "Read":
      return fileOf(input, "file_path");
    case "WebFetch":
      return oneField(input, "url", (url) => ({ kind: "address", url }));
    case "WebSearch":
      return oneField(input, "query", (query) => ({ kind: "search", query }));
    case "Glob":
    case "Grep":
      return oneField(input, "pattern", (query) => ({ kind: "search", query }));
    case "Task":
    case "Agent":
      return agentOf(input);
    case "ExitPlanMode":
      return oneField(input, "plan", (plan) => ({ kind: "plan", plan }));
    case "AskUserQuestion":
      return questionsOf(input);
    default:
      return undefined;
  }
}

function questionsOf({ questions }: Fields): Shown | undefined {
  const views = viewQuestions(questions);
  return views.length === 0
    ? undefined
    : { body: { kind: "questions", questions: views }, fields: ["questions"] };
}

function oneField(
  input: Fields,
  name: string,
  build: (text: string) => InputBody,
): Shown | undefined {
  const text = filledText(input[name]);
  return text === undefined ? undefined : { body: build(showHidden(text)), fields: [name] };
}

function fileOf(input: Fields, name: string): Shown | undefined {
  return oneField(input, name, (filePath) => ({ kind: "file", filePath }));
}

function commandOf(input: Fields): Shown | undefined {
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

function agentOf(input: Fields): Shown | undefined {
  const agentType = filledText(input["subagent_type"]);
  const shown = oneField(input, "prompt", (prompt) => ({
    kind: "agent",
    ...defined({ agentType: agentType && showHidden(agentType) }),
    prompt,
  }));
  const isShown = agentType !== undefined;
  return shown && { ...shown, fields: [...shown.fields, ...(isShown ? ["subagent_type"] : [])] };
}

function editOf(input: Fields): Shown | undefined {
  const hunks = replacementHunks(input);
  return hunks && diffOf(input, "file_path", hunks, ["old_string", "new_string"]);
}

function multiEditOf(input: Fields): Shown | undefined {
  const edits = input["edits"];
  const hunks = objectsOf(edits).map(replacementHunks);
  if (!Array.isArray(edits) || hunks.length < edits.length) return undefined;
  if (!hunks.every((hunk) => hunk !== undefined)) return undefined;
  return diffOf(input, "file_path", hunks.flat(), ["edits"]);
}

function writeOf(input: Fields, path: string, content: string): Shown | undefined {
  const text = textOf(input[content]);
  return text === undefined ? undefined : diffOf(input, path, diffTexts("", text), [content]);
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
): Shown | undefined {
  const filePath = filledText(input[path]);
  if (filePath === undefined) return undefined;
  const visible = hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(showHidden) }));
  return {
    body: { kind: "diff", filePath: showHidden(filePath), hunks: visible },
    fields: [path, ...shown],
  };
}
