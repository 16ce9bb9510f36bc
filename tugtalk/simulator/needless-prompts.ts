/**
 * The prompts of a scenario that the CLI does not send: dialogs of a kind that the host has not declared in
 * `initialize.supportedDialogKinds`, and tools of whose prompts it has taken every suggestion before.
 */
import { fieldOf, isSameJson, type JsonObject, textOf } from "./json-value.ts";
import type { Stage } from "./stage.ts";

/** True for a request that is left out, with its answer. A conversation file is played as it is written. */
export function isNeedless(stage: Stage, line: JsonObject): boolean {
  if (!stage.options.isRepeated) return false;
  const subtype = textOf(line, "request", "subtype");
  if (subtype === "request_user_dialog")
    return !stage.dialogKinds.includes(fieldOf(line, "request", "dialog_kind"));
  return subtype === "can_use_tool" && isGranted(stage, fieldOf(line, "request"));
}

function isGranted(stage: Stage, request: unknown): boolean {
  const suggestions = fieldOf(request, "permission_suggestions");
  if (!Array.isArray(suggestions) || suggestions.length === 0) return false;
  return suggestions.every((suggestion) => isTaken(stage, suggestion));
}

/** The host may have chosen another destination. */
function isTaken({ session, granted }: Stage, suggestion: unknown): boolean {
  if (textOf(suggestion, "type") === "setMode")
    return textOf(suggestion, "mode") === session.permissionMode;
  return granted.some((update) =>
    ["type", "behavior", "rules", "directories"].every((key) =>
      isSameJson(fieldOf(update, key), fieldOf(suggestion, key)),
    ),
  );
}
