/** The dialog for an open prompt. Pure. */

import { filledText, objectsOf, present, textOf } from "../claude-value.ts";
import type {
  DialogData,
  DialogPrompt,
  ElicitationFormData,
  ElicitationPrompt,
  OpenPrompt,
  PermissionPrompt,
  PlanApproval,
  PlanCardData,
  QuestionPrompt,
  SuggestionView,
  ToolName,
} from "../prompt-models.ts";
import type { McpServerStatus } from "../reduced-session.ts";
import type { QuestionFormData } from "../web-components.ts";
import { viewFormFields } from "./form-fields.ts";
import { viewFields, viewInput } from "./input-preview.ts";
import { viewQuestions } from "./question-view.ts";
import { viewSuggestion } from "./suggestion-view.ts";
import { viewToolName } from "./tool-name.ts";
import type { InputPreview } from "./tools.ts";

/** The dialog for one open prompt. */
export type PromptView =
  | PermissionDialogData
  | PlanCardData
  | QuestionFormData
  | ElicitationFormData
  | DialogData;

export type PermissionDialogData = PermissionPrompt & {
  readonly tool: ToolName;
  readonly preview: InputPreview;
  readonly suggestions: readonly SuggestionView[];
};

/** A prompt as a page draws it. `servers` are the MCP servers of the session, which name its tools. */
export function viewPrompt(
  prompt: OpenPrompt,
  servers: readonly McpServerStatus[] = [],
): PromptView {
  switch (prompt.kind) {
    case "permission":
      return prompt.toolName === "ExitPlanMode"
        ? viewPlan(prompt)
        : viewPermission(prompt, servers);
    case "question":
      return viewQuestionForm(prompt);
    case "elicitation":
      return viewElicitation(prompt);
    case "dialog":
      return viewDialog(prompt);
  }
}

function viewPermission(
  prompt: PermissionPrompt,
  servers: readonly McpServerStatus[],
): PermissionDialogData {
  return {
    ...prompt,
    tool: viewToolName(prompt.toolName, servers),
    preview: viewInput(prompt.toolName, prompt.input),
    suggestions: prompt.permissionSuggestions.map((suggestion, index) =>
      viewSuggestion(suggestion, index, servers),
    ),
  };
}

/** The measured ways out of plan mode: Claude goes on in the mode that an approval sets. */
const APPROVALS: readonly PlanApproval[] = [
  {
    text: "Carry out the plan, and edit files without asking",
    updatedPermissions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
  },
  { text: "Carry out the plan, and ask as usual", updatedPermissions: [] },
];

/** A plan that is to be approved. */
export function viewPlan({ input, ...prompt }: PermissionPrompt): PlanCardData {
  const { requestId, turnId, parentToolUseId, toolUseId, createdAt, toolName } = prompt;
  return {
    ...present({ turnId, parentToolUseId, toolUseId, createdAt }),
    kind: "plan",
    requestId,
    toolName,
    ...present({
      plan: filledText(prompt.plan) ?? filledText(input["plan"]),
      planFilePath: filledText(input["planFilePath"]),
    }),
    requests: objectsOf(input["allowedPrompts"]).map(({ tool, prompt: request }) => ({
      tool: textOf(tool) ?? "",
      prompt: textOf(request) ?? "",
    })),
    approvals: APPROVALS,
  };
}

function viewQuestionForm({
  questions,
  toolName: _tool,
  input: _all,
  ...prompt
}: QuestionPrompt): QuestionFormData {
  return { ...prompt, questions: viewQuestions(questions) };
}

function viewElicitation({
  requestedSchema,
  propertyOrder,
  ...prompt
}: ElicitationPrompt): ElicitationFormData {
  return {
    ...prompt,
    mode: prompt.url === undefined ? "form" : "url",
    fields: viewFormFields(requestedSchema, propertyOrder),
  };
}

function viewDialog(prompt: DialogPrompt): DialogData {
  return { ...prompt, fields: viewFields(prompt.payload) };
}
