/** Steps of a person's choices for a session, and of the turns from before it. */
import { historyParts, titleOfTurns } from "./past-turns.ts";
import { hostError, sessionChanged } from "./session-events.ts";
import type { HistoryInput, SettingCommand } from "./session-input.ts";
import { withEffort, without } from "./session-row.ts";
import type { StepDraft } from "./step-draft.ts";

export function onSetting(draft: StepDraft, command: SettingCommand): void {
  change(draft, command);
  draft.resolve(command.reply, undefined);
}

function change(draft: StepDraft, command: SettingCommand): void {
  switch (command.kind) {
    case "title": {
      const { title } = command;
      draft.add(sessionChanged({ title }));
      draft.setRow({ title });
      break;
    }
    case "limit": {
      const { limitUsd } = command;
      draft.add(sessionChanged({ limit_usd: limitUsd }));
      const { row } = draft.state;
      draft.replaceRow(limitUsd === null ? without(row, "limitUsd") : { ...row, limitUsd });
      break;
    }
    case "mode": {
      const { mode: permissionMode } = command;
      draft.add(sessionChanged({ permission_mode: permissionMode }));
      draft.setRow({ permissionMode });
      break;
    }
    case "model": {
      const { model } = command;
      // The message that a running bridge would send: `session_changed` has no default.
      draft.add({ type: "model_changed", data: { model, source: "host" } });
      const { row } = draft.state;
      draft.replaceRow(model === null ? without(row, "model") : { ...row, model });
      break;
    }
    case "flag_settings": {
      draft.replaceRow(withEffort(draft.state.row, command.settings["effortLevel"]));
      // The answer shows the current settings on every page, whichever client has changed them.
      draft.do({ kind: "send", message: { type: "control", subtype: "get_settings" } });
      break;
    }
  }
}

/** Puts the turns from before this session in front. */
export function addHistory(draft: StepDraft, input: HistoryInput): void {
  if (input.kind === "no_history") draft.add(hostError("no_history", input.error.message));
  else {
    const { entry, older } = historyParts(input.turns);
    draft.add(entry);
    draft.turns.push(...older);
    draft.indexesState = older.length > 0;
    const title = titleOfTurns(input.turns);
    if (draft.state.row.title === "" && title !== "") {
      draft.add(sessionChanged({ title }));
      draft.setRow({ title });
    }
  }
  draft.resolve(input.reply, undefined);
}
