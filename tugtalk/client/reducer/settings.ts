/** What Claude offers and how it is set: model, mode, commands, MCP servers, answers to requests. */
import type { McpServerStatus } from "../../src/web-components.ts";
import { isFields } from "../claude-value.ts";
import { toolPrefix } from "../mcp-tool-names.ts";
import type { ReducedSession } from "../reduced-session.ts";
import { handler, wholeHandler } from "./handler.ts";
import {
  flag,
  listOf,
  nullable,
  object,
  objects,
  objectWith,
  optional,
  present,
  text,
  textIn,
  texts,
} from "./message-fields.ts";

const modelChanged = handler("model_changed", { model: nullable(text) }, (state, { model }) => ({
  ...state,
  model,
}));

const modeChanged = handler("permission_mode_changed", { mode: text }, (state, { mode }) => ({
  ...state,
  permissionMode: mode,
}));

const metadata = wholeHandler(
  "system_metadata",
  {
    session_id: text,
    cwd: optional(text),
    model: optional(text),
    permissionMode: optional(text),
    claude_code_version: optional(text),
    tools: optional(texts),
    slash_commands: optional(texts),
  },
  (state, message) => {
    const { model, permissionMode, tools = [] } = message;
    const listed = message["mcp_servers"];
    return {
      ...state,
      metadata: message,
      ...present({ model, permissionMode }),
      ...(Array.isArray(listed) && { mcpServers: serversOf(listed, tools) }),
    };
  },
);

/** The servers of a list of Claude, each with its tools, whose names begin with that of the server. */
function serversOf(listed: readonly unknown[], tools: readonly string[]): McpServerStatus[] {
  return listed.filter(isFields).flatMap((server) => {
    const name = textIn(server, "name");
    if (name === undefined) return [];
    const own = tools.filter((tool) => tool.startsWith(toolPrefix(name)));
    return [{ name, status: textIn(server, "status") ?? "unknown", tools: own }];
  });
}

const NAMED = listOf(objectWith({ name: text }));

const capabilities = wholeHandler(
  "session_capabilities",
  {
    models: optional(listOf(objectWith({ value: text }))),
    commands: optional(NAMED),
    agents: optional(NAMED),
    output_style: optional(text),
    available_output_styles: optional(texts),
    permission_modes: optional(texts),
    login: optional(text),
    account: optional(object),
    claude_version: optional(text),
  },
  (state, message) => ({ ...state, capabilities: message }),
);

/** The commands of now replace those of the start. */
const commandsChanged = wholeHandler("commands_changed", { commands: NAMED }, (state, message) => {
  const { ipc_version, seq } = message;
  const known = state.capabilities ?? {
    type: "session_capabilities",
    ...present({ ipc_version, seq }),
  };
  const commands = message.commands.map(({ description, argumentHint, ...command }) => ({
    ...command,
    ...present({ description, argumentHint }),
  }));
  return { ...state, capabilities: { ...known, commands } };
});

/** Requests whose answers describe the session. Others are for who asked, and may be large: a file, an output. */
const DESCRIBING: ReadonlySet<string> = new Set([
  "get_binary_version",
  "get_hooks_listing",
  "get_plan",
  "get_session_cost",
  "get_settings",
  "get_status",
  "get_usage",
  "list_models",
  "list_permission_rules",
  "mcp_status",
]);

const controlResult = handler(
  "control_result",
  { subtype: text, ok: flag, response: optional(object) },
  (state, { subtype, ok, response }) => {
    if (!ok || response === undefined) return state;
    if (subtype === "get_context_usage") return { ...state, contextUsage: response };
    const listed = withServers(state, response["mcpServers"]);
    if (!DESCRIBING.has(subtype)) return listed;
    return { ...listed, controlResponses: { ...listed.controlResponses, [subtype]: response } };
  },
);

/** `mcp_status` and `mcp_set_servers` list the servers. */
function withServers(state: ReducedSession, listed: unknown): ReducedSession {
  if (!Array.isArray(listed)) return state;
  return { ...state, mcpServers: serversOf(listed, state.metadata?.tools ?? []) };
}

const sessionList = handler(
  "session_list_result",
  { sessions: objects },
  (state, { sessions }) => ({
    ...state,
    pastSessions: sessions,
  }),
);

const suggestion = handler("prompt_suggestion", { suggestion: text }, (state, message) => ({
  ...state,
  promptSuggestion: message.suggestion,
}));

const goal = handler("active_goal", { value: nullable(object) }, (state, message) => ({
  ...state,
  activeGoal: message.value,
}));

export const SETTINGS_HANDLERS = [
  modelChanged,
  modeChanged,
  metadata,
  capabilities,
  commandsChanged,
  controlResult,
  sessionList,
  suggestion,
  goal,
] as const;
