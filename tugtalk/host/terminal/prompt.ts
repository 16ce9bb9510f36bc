/** Every kind of prompt that a bridge sends, as something to ask the user. */
import type { PromptRequest } from "../../client/answers.ts";
import { previewEdit } from "./comfort/edit-diff.ts";
import { dialogPrompt } from "./dialog-prompt.ts";
import { formPrompt } from "./form-prompt.ts";
import { permissionPrompt } from "./permission-prompt.ts";
import type { Prompt } from "./prompt-step.ts";
import { questionPrompt } from "./question-prompt.ts";

/** The first step of a prompt. Reads the file that an Edit or a Write would change. */
export function newPrompt(request: PromptRequest): Prompt {
  switch (request.type) {
    case "control_request_forward": {
      const questions = request.is_question ? questionPrompt(request) : undefined;
      const preview = previewEdit(request.tool_name, request.input);
      return questions ?? permissionPrompt(request, preview);
    }
    case "elicitation_request":
      return formPrompt(request);
    case "dialog_request":
      return dialogPrompt(request);
  }
}
