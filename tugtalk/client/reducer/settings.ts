/** Claude's choices and settings: model, mode, commands, MCP servers, answers to requests. */

import { isFields, present, textOf } from "../claude-value.ts";
import { toolPrefix } from "../mcp-tool-names.ts";
import type { McpServerStatus, ReducedSession } from "../reduced-session.ts";
import { handler, wholeHandler } from "./handler.ts";
import {
  flag,
  listOf,
  nullable,
  object,
  objects,
  objectWith,
  optional,
  text,
  texts,
} from "./message-fields.ts";

const NAMED = listOf(objectWith({ name: text }));

export const SETTINGS_HANDLERS = [
  handler("model_changed", { model: nullable(text) }, (state, { model }) => ({
    ...state,
    model,
    chosenModel: model ?? "default",
  })),
  handler("permission_mode_changed", { mode: text }, (state, { mode }) => ({
    ...state,
    permissionMode: mode,
  })),
  wholeHandler(
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
  ),
  wholeHandler(
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
  ),
  // The present commands replace the commands of the start.
  wholeHandler("commands_changed", { commands: NAMED }, (state, message) => {
    const { ipc_version, seq } = message;
    // A message in a frame has neither of them.
    const numbered = present({ ipc_version, seq }) as Pick<typeof message, "ipc_version" | "seq">;
    const known = state.capabilities ?? { type: "session_capabilities", ...numbered };
    const commands = message.commands.map(({ description, argumentHint, ...command }) => ({
      ...command,
      ...present({ description, argumentHint }),
    }));
    return { ...state, capabilities: { ...known, commands } };
  }),
  handler(
    "control_result",
    { subtype: text, ok: flag, response: optional(object) },
    (state, { subtype, ok, response }) => {
      if (!ok || response === undefined) return state;
      if (subtype === "get_context_usage") return { ...state, contextUsage: response };
      const listed = withServers(state, response["mcpServers"]);
      if (!DESCRIBING.has(subtype)) return listed;
      return { ...listed, controlResponses: { ...listed.controlResponses, [subtype]: response } };
    },
  ),
  handler("session_list_result", { sessions: objects }, (state, { sessions }) => ({
    ...state,
    pastSessions: sessions,
  })),
  handler("prompt_suggestion", { suggestion: text }, (state, message) => ({
    ...state,
    promptSuggestion: message.suggestion,
  })),
  handler("active_goal", { value: nullable(object) }, (state, message) => ({
    ...state,
    activeGoal: message.value,
  })),
] as const;

/** The servers of a list of Claude, each with its tools, whose names begin with the server's name. */
function serversOf(listed: readonly unknown[], tools: readonly string[]): McpServerStatus[] {
  return listed.filter(isFields).flatMap((server) => {
    const name = textOf(server["name"]);
    if (name === undefined) return [];
    const own = tools.filter((tool) => tool.startsWith(toolPrefix(name)));
    return [{ name, status: textOf(server["status"]) ?? "unknown", tools: own }];
  });
}

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

/** `mcp_status` and `mcp_set_servers` list the servers. */
function withServers(state: ReducedSession, listed: unknown): ReducedSession {
  if (!Array.isArray(listed)) return state;
  return { ...state, mcpServers: serversOf(listed, state.metadata?.tools ?? []) };
}
