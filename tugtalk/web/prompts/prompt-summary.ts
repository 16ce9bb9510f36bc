/** A prompt in a few words: the heading of its card, and its name elsewhere. Pure. */
import { showInput } from "../../client/views/input-preview.ts";
import type { PermissionDialogData, PromptView } from "../../client/views/prompt-view.ts";
import { showHidden } from "../../client/views/visible-text.ts";

export function titleOf(view: PromptView): string {
  switch (view.kind) {
    case "permission":
      return "Tool Approval Required";
    case "plan":
      return "Plan for Approval";
    case "question":
      return "Question from Claude";
    case "elicitation":
      return "Question from an MCP Server";
    case "dialog":
      return "Dialog of Claude";
  }
}

/** The asker: the name of a tool or server. */
export function chipOf(view: PromptView): string | undefined {
  switch (view.kind) {
    case "permission": {
      const { label, server } = view.tool;
      return showHidden(server === undefined ? label : `${server} · ${label}`);
    }
    case "elicitation":
      return showHidden(view.serverName);
    default:
      return undefined;
  }
}

/** The subject of a prompt, on one line. */
export function summaryOf(view: PromptView): string {
  const [line = ""] = showHidden(subjectOf(view)).split("\n");
  return line;
}

function subjectOf(view: PromptView): string {
  switch (view.kind) {
    case "permission":
      return view.description ?? aboutOf(view) ?? view.tool.label;
    case "plan":
      return view.plan?.replace(/^#+\s*/, "") ?? "";
    case "question":
      return view.questions[0]?.question ?? "";
    case "elicitation":
      return view.message;
    case "dialog":
      return view.dialogKind;
  }
}

/** Fields of a tool that is not known say less than its name. */
function aboutOf({ preview, toolName, input }: PermissionDialogData): string | undefined {
  return preview.body.kind === "fields" ? undefined : showInput(toolName, input).summary;
}
