/**
 * The prompts of a scenario that the CLI does not send: dialogs of a kind that the host has not declared in
 * `initialize.supportedDialogKinds`.
 */
import { fieldOf, type JsonObject, textOf } from "./json-value.ts";
import type { Stage } from "./stage.ts";

/** True for a request that is left out, with its answer. A conversation file is played as it is written. */
export function isNeedless({ options, dialogKinds }: Stage, line: JsonObject): boolean {
  if (!options.isRepeated || textOf(line, "request", "subtype") !== "request_user_dialog")
    return false;
  return !dialogKinds.includes(fieldOf(line, "request", "dialog_kind"));
}
