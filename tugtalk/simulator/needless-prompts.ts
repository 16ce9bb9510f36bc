/**
 * The prompts of a scenario that the CLI does not send: dialogs of a kind that the host has not declared in
 * `initialize.supportedDialogKinds`, and tools of whose prompts it has taken every suggestion before.
 */
import { fieldOf, isSameJson, type JsonObject, textOf } from "./json-value.ts";
import type { SimulatorState } from "./simulator-state.ts";

/** True for a request that is left out, with its answer. A conversation file is played as it is written. */
export function isNeedless(state: SimulatorState, line: JsonObject): boolean {
  if (!state.options.isRepeated) return false;
  const subtype = textOf(line, "request", "subtype");
  if (subtype === "request_user_dialog")
    return !state.dialogKinds.includes(fieldOf(line, "request", "dialog_kind"));
  return subtype === "can_use_tool" && isGranted(state, fieldOf(line, "request"));
}

function isGranted(state: SimulatorState, request: unknown): boolean {
  const suggestions = fieldOf(request, "permission_suggestions");
  if (!Array.isArray(suggestions) || suggestions.length === 0) return false;
  return suggestions.every((suggestion) => isTaken(state, suggestion));
}

/** The host may have chosen another destination. */
function isTaken({ session, granted }: SimulatorState, suggestion: unknown): boolean {
  if (textOf(suggestion, "type") === "setMode")
    return textOf(suggestion, "mode") === session.permissionMode;
  return granted.some((update) =>
    ["type", "behavior", "rules", "directories"].every((key) =>
      isSameJson(fieldOf(update, key), fieldOf(suggestion, key)),
    ),
  );
}
