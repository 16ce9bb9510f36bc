/**
 * The answers of 2.1.330 to control requests that no conversation scripts. Gives the lines to print and the
 * changes, and reads only a file that the host asks for. The player answers interrupts, which need the
 * running turn. Protocol reference §19.
 */

import { type Fields, isJsonObject } from "../src/base/json.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { buildStatus, type Session } from "./claude-lines.ts";
import { textOf } from "./json-value.ts";
import { readForHost } from "./read-file.ts";
import recorded from "./recorded-lines.json";

/** The facts that an answer depends on. */
export type ControlContext = {
  readonly session: Session;
  readonly mcpServers: readonly Fields[];
  readonly pid: number;
  readonly totalCost: number;
  readonly mayBypassPermissions: boolean;
  readonly echoesUser: boolean;
  readonly checkpoints: Checkpoints;
};

/** The effect of a control request. */
export type ControlOutcome = {
  readonly lines: readonly Fields[];
  readonly model?: string;
  readonly permissionMode?: string;
  readonly mcpServers?: readonly Fields[];
};

type Answering = ControlContext & { readonly requestId: unknown; readonly request: Fields };

const MODES = ["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"];

/** The answer to a control request other than interrupt and end_session. */
export function answerControlRequest(context: ControlContext, message: Fields): ControlOutcome {
  const request = isJsonObject(message["request"]) ? message["request"] : {};
  const subtype = textOf(request, "subtype") ?? "";
  const answering = { ...context, request, requestId: message["request_id"] };
  if (Object.hasOwn(PAYLOADS, subtype)) return success(answering, PAYLOADS[subtype]);
  const answer = Object.hasOwn(ANSWERS, subtype) ? ANSWERS[subtype] : undefined;
  if (answer !== undefined) return answer(answering);
  const error = `Unsupported control request subtype: ${subtype}`;
  return failure(answering, { error, error_code: "unsupported_request" });
}

/** A success answer; without a payload the key is absent, as in the real one. */
export function buildSuccess(requestId: unknown, payload?: Fields): Fields {
  const response = payload === undefined ? {} : { response: payload };
  return {
    type: "control_response",
    response: { subtype: "success", request_id: requestId, ...response },
  };
}

const { models, commands, agents, available_output_styles } = recorded.initialize;

/** The answers that are always the same. */
const PAYLOADS: Readonly<Record<string, Fields | undefined>> = {
  mcp_set_servers: { added: [], removed: [], errors: {} },
  stop_task: {},
  background_tasks: {},
  get_context_usage: recorded.context_usage,
  get_workspace_diff: recorded.workspace_diff,
  get_binary_version: { version: recorded.init.claude_code_version },
  rename_session: undefined,
  apply_flag_settings: undefined,
  seed_read_state: undefined,
  mcp_message: undefined,
  file_suggestions: { suggestions: [] },
  reload_plugins: { commands, agents, plugins: [], mcpServers: [], error_count: 0 },
  reload_skills: { skills: [] },
  generate_session_title: { title: null },
  side_question: { response: "A simulated aside.", synthetic: false },
  list_models: { models },
  get_hooks_listing: { events: [], hooks: [], eventCatalog: [] },
  update_settings: {},
  set_has_subscribers: undefined,
  reload_output_styles: { available_output_styles },
};

const ANSWERS: Readonly<Record<string, (answering: Answering) => ControlOutcome>> = {
  initialize: answerInitialize,
  set_permission_mode: answerSetMode,
  set_model: answerSetModel,
  set_max_thinking_tokens: answerSetThinking,
  mcp_status: (answering) => success(answering, { mcpServers: answering.mcpServers }),
  mcp_reconnect: answerServerChange,
  mcp_toggle: answerServerChange,
  rewind_files: answerRewind,
  read_file: answerRead,
  get_session_cost: (answering) =>
    success(answering, { text: `Estimated cost: $${answering.totalCost.toFixed(4)}` }),
  get_settings: (answering) =>
    success(answering, {
      effective: {},
      sources: [],
      applied: { model: answering.session.model, effort: "medium" },
    }),
  get_usage: (answering) =>
    success(answering, { session: { total_cost_usd: answering.totalCost, model_usage: {} } }),
  list_permission_rules: (answering) =>
    success(answering, {
      state: {
        rules: [],
        workspaceDirectories: [],
        originalCwd: answering.session.cwd,
        managedOnly: false,
      },
    }),
  get_task_output: (answering) =>
    failure(answering, {
      error: "get_task_output: no shell or Monitor task with that task_id in this session",
    }),
};

function answerInitialize(answering: Answering): ControlOutcome {
  const { session, pid } = answering;
  return success(answering, {
    ...recorded.initialize,
    pid,
    current_permission_mode: session.permissionMode,
    pending_permission_requests: [],
  });
}

function answerSetMode(answering: Answering): ControlOutcome {
  const { session, request, requestId } = answering;
  const wanted = String(request["mode"]);
  if (wanted === "bypassPermissions" && !answering.mayBypassPermissions) {
    return failure(answering, {
      error: NOT_LAUNCHED_TO_BYPASS,
      error_code: "bypass_not_launched",
    });
  }
  const mode = wanted === "manual" ? "default" : wanted;
  if (!MODES.includes(mode)) {
    const error = `Cannot set permission mode: must be one of ${MODES.join(", ")}`;
    return failure(answering, { error, error_code: "invalid_mode" });
  }
  const event = buildStatus(session, { status: null, permissionMode: mode });
  const isChange = mode !== session.permissionMode;
  const lines = [buildSuccess(requestId, { mode }), ...(isChange ? [event] : [])];
  return { lines, permissionMode: mode };
}

const NOT_LAUNCHED_TO_BYPASS =
  "Cannot set permission mode to bypassPermissions because the session was not launched with " +
  "--dangerously-skip-permissions";

function answerSetModel(answering: Answering): ControlOutcome {
  const { session, request } = answering;
  const wanted = request["model"] ?? "default";
  const { model: current } = session;
  if (typeof wanted !== "string") {
    const error = "set_model: model must be a string";
    return failure(answering, { error, error_code: "invalid_request", model: current });
  }
  if (wanted === "")
    return failure(answering, {
      error: UNKNOWN_MODEL,
      error_code: "catalog_unknown",
      model: current,
    });
  const isReset = wanted === "default";
  const model = isReset ? recorded.init.model : resolveModel(wanted);
  const name = isReset || wanted === model ? model : `${wanted} (${model})`;
  const echo = answering.echoesUser ? [buildModelNotice(session, name)] : [];
  return { lines: [...echo, buildSuccess(answering.requestId, { model })], model };
}

const UNKNOWN_MODEL =
  'Model "(unrecognized model name)" is not a recognized model id. Run /model to see available models.';

function resolveModel(wanted: string): string {
  return models.find(({ value }) => value === wanted)?.resolvedModel ?? wanted;
}

function buildModelNotice(session: Session, name: string): Fields {
  const content = `<local-command-stdout>Set model to \`${name}\`</local-command-stdout>`;
  return {
    type: "user",
    message: { role: "user", content },
    session_id: session.sessionId,
    parent_tool_use_id: null,
    uuid: session.newId(),
    timestamp: new Date().toISOString(),
    isReplay: true,
  };
}

function answerSetThinking(answering: Answering): ControlOutcome {
  const tokens = answering.request["max_thinking_tokens"] ?? 0;
  if (Number.isInteger(tokens)) return success(answering);
  return failure(answering, {
    error:
      "set_max_thinking_tokens: max_thinking_tokens must be an integer or null and thinking_display " +
      'must be "summarized", "omitted", "highlights", or null',
  });
}

/** A server is connected, unless it is to be disabled. */
function answerServerChange(answering: Answering): ControlOutcome {
  const { mcpServers, request } = answering;
  const { serverName, enabled } = request;
  if (!mcpServers.some(({ name }) => name === serverName))
    return failure(answering, { error: `Server not found: ${String(serverName)}` });
  const status = enabled === false ? "disabled" : "connected";
  const change = (server: Fields) =>
    server["name"] === serverName ? { ...server, status } : server;
  return { ...success(answering), mcpServers: mcpServers.map(change) };
}

function answerRewind(answering: Answering): ControlOutcome {
  const { request, checkpoints } = answering;
  const uuid = String(request["user_message_id"]);
  const preview = checkpoints.isEnabled ? checkpoints.preview(uuid) : undefined;
  const isDry = request["dry_run"] === true;
  if (preview !== undefined) {
    if (isDry) return success(answering, preview);
    checkpoints.rewind(uuid);
    return success(answering, { canRewind: true, skippedLinks: 0 });
  }
  const error = checkpoints.isEnabled
    ? "No file checkpoint found for this message."
    : "File rewinding is not enabled.";
  return isDry ? success(answering, { canRewind: false, error }) : failure(answering, { error });
}

function answerRead(answering: Answering): ControlOutcome {
  const { session, request } = answering;
  const read = readForHost(session.cwd, request);
  return read === undefined
    ? failure(answering, { error: `read denied: ${String(request["path"])}` })
    : success(answering, read);
}

function success(answering: Answering, payload?: Fields): ControlOutcome {
  return { lines: [buildSuccess(answering.requestId, payload)] };
}

function failure(answering: Answering, fields: Fields): ControlOutcome {
  const response = { subtype: "error", request_id: answering.requestId, ...fields };
  return { lines: [{ type: "control_response", response }] };
}
