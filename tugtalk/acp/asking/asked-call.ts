/** The call that a prompt is about, as a request to the client names it. Pure. */
import type { ToolCallContent, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { PermissionPrompt, QuestionPrompt } from "../../client/prompt-models.ts";
import { commandBegin } from "../updates/command-output.ts";
import { type Before, plannedDiff } from "../updates/file-diff.ts";
import { kindOf, locationsOf } from "../updates/tool-kinds.ts";
import { titleOf } from "../updates/tool-title.ts";
import { metaOf } from "../updates/update-state.ts";
import type { Audience } from "./step.ts";

export function toolCallOf(
  { dir }: Audience,
  prompt: PermissionPrompt | QuestionPrompt,
): ToolCallUpdate {
  const { toolName: name, input, toolUseId, requestId, parentToolUseId } = prompt;
  return {
    toolCallId: toolUseId ?? requestId,
    name,
    title: titleOf(dir, name, input),
    kind: kindOf(name),
    rawInput: input,
    locations: locationsOf(dir, input),
    ...metaOf({ parent_tool_use_id: parentToolUseId }),
  };
}

/** The content that the client shows of a call. A request repeats it, since content is replaced as a whole. */
export function shownContent(
  audience: Audience,
  { toolName, input, toolUseId }: PermissionPrompt,
  before: Before,
): readonly ToolCallContent[] {
  const diff = plannedDiff(input, before);
  if (diff !== undefined) return [diff];
  return toolUseId === undefined ? [] : (commandBegin(audience, toolUseId, toolName).content ?? []);
}
