/**
 * How the CLI answers control requests that no conversation scripts, version by version. Pure: says
 * what to print and what changes. Interrupts need the running turn and are answered by the player.
 * Protocol reference §19.
 */
import { buildStatus, defaultModelOf, type Session } from "./claude-lines.ts";
import { type ImitatedVersion, RECORDED_LINES } from "./imitated-version.ts";
import { fieldOf, isObject, type JsonObject, textOf } from "./json-value.ts";

/** What an answer depends on. */
export type ControlContext = {
  readonly session: Session;
  readonly mcpServers: readonly JsonObject[];
  readonly pid: number;
  readonly totalCost: number;
  readonly wasInitialized: boolean;
  readonly mayBypassPermissions: boolean;
  readonly echoesUser: boolean;
};

/** The effect of a control request; without lines there is no answer. */
export type ControlOutcome = {
  readonly lines: readonly JsonObject[];
  readonly model?: string;
  readonly permissionMode?: string;
  readonly mcpServers?: readonly JsonObject[];
};

type Answering = ControlContext & { readonly requestId: unknown; readonly request: JsonObject };

const OLD_SUBTYPES = new Set([
  "initialize",
  "set_permission_mode",
  "set_model",
  "set_max_thinking_tokens",
  "mcp_status",
  "mcp_set_servers",
  "mcp_reconnect",
  "mcp_toggle",
  "rewind_files",
]);

const LATEST_SUBTYPES = new Set([
  "list_models",
  "list_permission_rules",
  "get_hooks_listing",
  "get_task_output",
  "update_settings",
  "set_has_subscribers",
  "reload_output_styles",
]);

const LATEST_MODES = ["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"];

/** The answer of the imitated version to a control request other than interrupt and end_session. */
export function answerControlRequest(context: ControlContext, message: JsonObject): ControlOutcome {
  const request = isObject(message["request"]) ? message["request"] : {};
  const subtype = textOf(request, "subtype") ?? "";
  const answering = { ...context, request, requestId: message["request_id"] };
  const { version } = context.session;
  const answer = Object.hasOwn(ANSWERS, subtype) ? ANSWERS[subtype] : undefined;
  if (answer === undefined || !isKnown(version, subtype)) return unsupported(answering, subtype);
  return answer(answering);
}

/** A success answer; without a payload the key is absent, as in the real one. */
export function buildSuccess(requestId: unknown, payload?: JsonObject): JsonObject {
  const response = payload === undefined ? {} : { response: payload };
  return {
    type: "control_response",
    response: { subtype: "success", request_id: requestId, ...response },
  };
}

const ANSWERS: Readonly<Record<string, (answering: Answering) => ControlOutcome>> = {
  initialize: answerInitialize,
  set_permission_mode: answerSetMode,
  set_model: answerSetModel,
  set_max_thinking_tokens: answerSetThinking,
  mcp_status: (answering) => success(answering, { mcpServers: answering.mcpServers }),
  mcp_set_servers: (answering) => success(answering, { added: [], removed: [], errors: {} }),
  mcp_reconnect: answerServerChange,
  mcp_toggle: answerServerChange,
  rewind_files: answerRewind,
  stop_task: (answering) => success(answering, {}),
  background_tasks: (answering) => success(answering, {}),
  get_context_usage: (answering) =>
    success(answering, RECORDED_LINES[answering.session.version].context_usage ?? {}),
  get_session_cost: answerSessionCost,
  get_settings: (answering) =>
    success(answering, {
      effective: {},
      sources: [],
      applied: { model: answering.session.model, effort: "medium" },
    }),
  get_usage: (answering) =>
    success(answering, { session: { total_cost_usd: answering.totalCost, model_usage: {} } }),
  get_binary_version: (answering) => success(answering, { version: answering.session.version }),
  rename_session: (answering) => success(answering),
  apply_flag_settings: (answering) => success(answering),
  seed_read_state: (answering) => success(answering),
  file_suggestions: (answering) => success(answering, { suggestions: [] }),
  reload_plugins: answerReload,
  reload_skills: (answering) => success(answering, { skills: [] }),
  generate_session_title: (answering) => success(answering, { title: null }),
  side_question: (answering) =>
    success(answering, { response: "A simulated aside.", synthetic: false }),
  list_models: (answering) => success(answering, { models: modelsOf(answering) }),
  list_permission_rules: (answering) =>
    success(answering, {
      state: {
        rules: [],
        workspaceDirectories: [],
        originalCwd: answering.session.cwd,
        managedOnly: false,
      },
    }),
  get_hooks_listing: (answering) => success(answering, { events: [], hooks: [], eventCatalog: [] }),
  get_task_output: (answering) =>
    failure(answering, {
      error: "get_task_output: no shell or Monitor task with that task_id in this session",
    }),
  update_settings: (answering) => success(answering, {}),
  set_has_subscribers: (answering) => success(answering),
  reload_output_styles: (answering) =>
    success(answering, {
      available_output_styles:
        RECORDED_LINES[answering.session.version].initialize["available_output_styles"],
    }),
};

function isKnown(version: ImitatedVersion, subtype: string): boolean {
  if (version === "2.1.38") return OLD_SUBTYPES.has(subtype);
  return version === "2.1.330" || !LATEST_SUBTYPES.has(subtype);
}

function unsupported(answering: Answering, subtype: string): ControlOutcome {
  const { version } = answering.session;
  if (version === "2.1.38") return { lines: [] };
  const error = `Unsupported control request subtype: ${subtype}`;
  const code = version === "2.1.330" ? { error_code: "unsupported_request" } : {};
  return failure(answering, { error, ...code });
}

function answerInitialize(answering: Answering): ControlOutcome {
  const { session, wasInitialized, pid } = answering;
  if (session.version === "2.1.38" && wasInitialized) {
    return failure(answering, { error: "Already initialized", pending_permission_requests: [] });
  }
  const mode = session.permissionMode;
  const latest = { current_permission_mode: mode, pending_permission_requests: [] };
  return success(answering, {
    ...RECORDED_LINES[session.version].initialize,
    ...(session.version === "2.1.38" ? {} : { pid }),
    ...(session.version === "2.1.330" ? latest : {}),
  });
}

function answerSetMode(answering: Answering): ControlOutcome {
  const { session, request, requestId } = answering;
  const wanted = String(request["mode"]);
  if (session.version === "2.1.38") {
    const lines = [buildSuccess(requestId, { mode: wanted }), buildSuccess(requestId)];
    return { lines, permissionMode: wanted };
  }
  const isLatest = session.version === "2.1.330";
  if (wanted === "bypassPermissions" && !answering.mayBypassPermissions) {
    const error = NOT_LAUNCHED_TO_BYPASS;
    return failure(answering, {
      error,
      ...(isLatest ? { error_code: "bypass_not_launched" } : {}),
    });
  }
  const mode = isLatest && wanted === "manual" ? "default" : wanted;
  if (isLatest && !LATEST_MODES.includes(mode)) {
    const error = `Cannot set permission mode: must be one of ${LATEST_MODES.join(", ")}`;
    return failure(answering, { error, error_code: "invalid_mode" });
  }
  const isEvent = LATEST_MODES.includes(mode) && mode !== session.permissionMode;
  const event = buildStatus(session, { status: null, permissionMode: mode });
  const lines = [buildSuccess(requestId, { mode }), ...(isEvent ? [event] : [])];
  return { lines, permissionMode: mode };
}

const NOT_LAUNCHED_TO_BYPASS =
  "Cannot set permission mode to bypassPermissions because the session was not launched with " +
  "--dangerously-skip-permissions";

function answerSetModel(answering: Answering): ControlOutcome {
  const { session, request } = answering;
  const wanted = request["model"];
  const isReset = wanted === undefined || wanted === null || wanted === "default";
  const model = isReset ? defaultModelOf(session.version) : resolveModel(answering, wanted);
  if (session.version === "2.1.38") return { ...success(answering), model };
  if (!isReset && typeof wanted !== "string") return answerWrongModelType(answering);
  if (session.version === "2.1.330" && wanted === "") return answerUnknownModel(answering);
  const payload = session.version === "2.1.330" ? { model } : undefined;
  const name = isReset || wanted === model ? model : `${String(wanted)} (${model})`;
  const echo = answering.echoesUser ? [buildModelNotice(session, wanted === "" ? "" : name)] : [];
  return { lines: [...echo, buildSuccess(answering.requestId, payload)], model };
}

function answerWrongModelType(answering: Answering): ControlOutcome {
  if (answering.session.version === "2.1.197") return { lines: [] };
  const error = "set_model: model must be a string";
  const { model } = answering.session;
  return failure(answering, { error, error_code: "invalid_request", model });
}

function answerUnknownModel(answering: Answering): ControlOutcome {
  const error =
    'Model "(unrecognized model name)" is not a recognized model id. Run /model to see available models.';
  const { model } = answering.session;
  return failure(answering, { error, error_code: "catalog_unknown", model });
}

function buildModelNotice(session: Session, name: string): JsonObject {
  const shown = session.version === "2.1.330" ? `\`${name}\`` : name;
  const content = `<local-command-stdout>Set model to ${shown}</local-command-stdout>`;
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

function resolveModel(answering: Answering, wanted: unknown): string {
  const known = modelsOf(answering).find((model) => fieldOf(model, "value") === wanted);
  return textOf(known, "resolvedModel") ?? String(wanted);
}

function modelsOf(answering: Answering): readonly unknown[] {
  const { models } = RECORDED_LINES[answering.session.version].initialize;
  return Array.isArray(models) ? models : [];
}

function answerSetThinking(answering: Answering): ControlOutcome {
  const tokens = answering.request["max_thinking_tokens"];
  const isWrong = tokens !== undefined && tokens !== null && !Number.isInteger(tokens);
  if (answering.session.version !== "2.1.330" || !isWrong) return success(answering);
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
  const change = (server: JsonObject) =>
    server["name"] === serverName ? { ...server, status } : server;
  return { ...success(answering), mcpServers: mcpServers.map(change) };
}

function answerRewind(answering: Answering): ControlOutcome {
  const error = "File rewinding is not enabled.";
  if (answering.request["dry_run"] === true) return success(answering, { canRewind: false, error });
  return failure(answering, { error });
}

function answerSessionCost(answering: Answering): ControlOutcome {
  const label = answering.session.version === "2.1.330" ? "Estimated cost" : "Total cost";
  return success(answering, { text: `${label}: $${answering.totalCost.toFixed(4)}` });
}

function answerReload(answering: Answering): ControlOutcome {
  const { commands, agents } = RECORDED_LINES[answering.session.version].initialize;
  return success(answering, { commands, agents, plugins: [], mcpServers: [], error_count: 0 });
}

function success(answering: Answering, payload?: JsonObject): ControlOutcome {
  return { lines: [buildSuccess(answering.requestId, payload)] };
}

function failure(answering: Answering, fields: JsonObject): ControlOutcome {
  const response = { subtype: "error", request_id: answering.requestId, ...fields };
  return { lines: [{ type: "control_response", response }] };
}
