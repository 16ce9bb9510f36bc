/** A dialog of a kind that the host has declared with `--dialog`. Its fields are shown as they are. Pure. */
import { completeDialog, type DialogRequest, refuse } from "../../client/answers.ts";
import { line } from "./comfort/terminal-text.ts";
import { answered, formatInput, type Prompt, type PromptStep, parseYesNo } from "./prompt-step.ts";

const FIRST = "Do you complete it? y / n";
const RESULT = "Its result: JSON, or an empty line for none";

/** Asks whether to complete the dialog, then for its result. */
export function dialogPrompt(request: DialogRequest): Prompt {
  return {
    lines: [
      line("ask", `Claude shows a dialog: ${request.dialog_kind}`),
      ...formatInput(request.payload),
      line("ask", FIRST),
    ],
    answer: (input) => {
      const isYes = parseYesNo(input);
      if (isYes === undefined) return { kind: "unclear", hint: FIRST };
      return isYes ? askResult(request) : answered(refuse(request));
    },
  };
}

function askResult(request: DialogRequest): PromptStep {
  const prompt: Prompt = {
    lines: [line("ask", RESULT)],
    answer: (input) => {
      if (input.trim() === "") return answered(completeDialog(request));
      try {
        return answered(completeDialog(request, JSON.parse(input)));
      } catch {
        return { kind: "unclear", hint: RESULT };
      }
    },
  };
  return { kind: "next", prompt };
}
