/** Changes of a session outside its conversation: title, commands, settings, context, costs. Pure. */
import { asLine, promptTitle } from "../../src/history/title-text.ts";
import { configOptions, type Settings, withCapabilities, withModel } from "../settings.ts";
import { serversStep } from "./late-updates.ts";
import {
  type MessageOf,
  type Row,
  type Step,
  stepTo,
  type Update,
  type UpdateState,
} from "./update-state.ts";

export const sessionCapabilities: Row<"session_capabilities"> = (state, message) => {
  const next = { ...state, settings: withCapabilities(state.settings, message) };
  return stepTo(next, commandsUpdate(message.commands ?? []));
};

export const commandsChanged: Row<"commands_changed"> = (state, { commands }) =>
  stepTo(state, commandsUpdate(commands));

type Command = {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly argumentHint?: string | null | undefined;
};

function commandsUpdate(commands: readonly Command[]): Update {
  return {
    sessionUpdate: "available_commands_update",
    availableCommands: commands.map(({ name, description, argumentHint: hint }) => ({
      name,
      description: description ?? "",
      ...(hint && { input: { hint } }),
    })),
  };
}

export const permissionModeChanged: Row<"permission_mode_changed"> = (state, { mode }) => {
  const step = settingsStep(state, { ...state.settings, mode });
  if (step.updates.length === 0) return step;
  return stepTo(
    step.state,
    { sessionUpdate: "current_mode_update", currentModeId: mode },
    ...step.updates,
  );
};

export const modelChanged: Row<"model_changed"> = (state, { model }) =>
  settingsStep(state, withModel(state.settings, model));

/** The first line of a turn has the current settings. The client gets only the changed ones. */
export const systemMetadata: Row<"system_metadata"> = (state, message) => {
  const servers = new Map(message.mcp_servers?.map(({ name, status }) => [name, status]));
  const notices = serversStep(state, message);
  const step = reportedSettings({ ...state, servers }, message);
  return stepTo(step.state, ...step.updates, ...notices.updates);
};

const reportedSettings: Row<"system_metadata"> = (state, { model, permissionMode: mode }) => {
  const named = model === undefined ? state.settings : withModel(state.settings, model);
  // The default stands for a model, whose full id is named here.
  const isDefault = state.settings.model === "default" && named.model !== state.settings.model;
  const settings = isDefault ? state.settings : named;
  const isKnown = mode === undefined || mode === settings.mode;
  if (isKnown) return settingsStep(state, settings);
  return permissionModeChanged(
    { ...state, settings },
    {
      type: "permission_mode_changed",
      mode,
      source: "claude",
    },
  );
};

/** The client gets the options where one has changed. */
export function settingsStep(state: UpdateState, settings: Settings): Step {
  if (Bun.deepEquals(state.settings, settings, true)) return stepTo(state);
  return stepTo(
    { ...state, settings },
    { sessionUpdate: "config_option_update", configOptions: configOptions(settings) },
  );
}

export const messageComplete: Row<"message_complete"> = (state, { context }) =>
  usageStep(state, context);

export const costUpdate: Row<"cost_update"> = (state, { total_cost_usd, context }) =>
  usageStep({ ...state, costUsd: total_cost_usd ?? state.costUsd }, context);

type Context = MessageOf<"message_complete">["context"];

/** The client gets the usage where it has changed. Without the size of the window there is nothing to compare with. */
function usageStep(state: UpdateState, context: Context): Step {
  if (context?.window_tokens === undefined) return stepTo(state);
  const { used_tokens: used, window_tokens: size } = context;
  const { costUsd: amount } = state;
  const usage = { used, size, ...(amount !== undefined && { cost: { amount, currency: "USD" } }) };
  if (Bun.deepEquals(state.usage, usage, true)) return stepTo(state);
  return stepTo({ ...state, usage }, { sessionUpdate: "usage_update", ...usage });
}

export const sessionInit: Row<"session_init"> = (state, { session_id: id, mode }) => {
  if (state.conversation?.id === id) return stepTo(state);
  return stepTo({ ...state, conversation: { id, isNew: mode === "new" || mode === "clear" } });
};

/** A new conversation has its first prompt as its title, as in the list of sessions, until it gets another. */
export function titleOfPrompt(state: UpdateState, { kind, text }: MessageOf<"user_text">): Step {
  const isFirst = state.conversation?.isNew === true && state.conversation.title === undefined;
  return kind === "host" && isFirst ? titleStep(state, promptTitle(text)) : stepTo(state);
}

export const sessionTitleChanged: Row<"session_title_changed"> = (state, { title }) =>
  titleStep(state, asLine(title ?? ""));

function titleStep(state: UpdateState, title: string | undefined): Step {
  const { conversation } = state;
  if (title === undefined || conversation === undefined || conversation.title === title)
    return stepTo(state);
  const next = { ...state, conversation: { ...conversation, title } };
  return stepTo(next, { sessionUpdate: "session_info_update", title });
}
