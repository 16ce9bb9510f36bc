/** Made by `npm run plain` from the schemas, and not edited by hand. */
import { byType, either, exactObject, integer, isAbsent, isAny, isFlag, isLowerUuid, isName, isNulFree, isNull, isObject, isPositive, isText, isWorktreeName, listOf, looseObject, oneOf, optional, recordOf, refined, type Check } from "../base/plain-value.ts";
import { isChannelName } from "../messages/envelope.ts";

const isSessionChoice = either(either(either(exactObject({
  mode: oneOf("new"),
  session_id: optional(isLowerUuid),
  at_message: optional(isAbsent),
}), exactObject({
  mode: oneOf("resume"),
  session_id: optional(isLowerUuid),
  at_message: optional(isLowerUuid),
})), exactObject({
  mode: oneOf("continue"),
  at_message: optional(isLowerUuid),
})), exactObject({
  mode: oneOf("fork"),
  session_id: optional(isLowerUuid),
  at_message: optional(isLowerUuid),
}));

const isPermissionMode = oneOf("default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "delegate", "auto", "manual");

const isAttachment = exactObject({
  filename: isText,
  content: isText,
  media_type: isText,
});

const isPermissionRule = looseObject({
  toolName: isText,
  ruleContent: optional(isText),
});

const isPermissionSuggestion = byType({
  addRules: {
    destination: isText,
    behavior: oneOf("allow", "deny", "ask"),
    rules: listOf(isPermissionRule),
  },
  replaceRules: {
    destination: isText,
    behavior: oneOf("allow", "deny", "ask"),
    rules: listOf(isPermissionRule),
  },
  removeRules: {
    destination: isText,
    behavior: oneOf("allow", "deny", "ask"),
    rules: listOf(isPermissionRule),
  },
  setMode: {
    destination: isText,
    mode: isText,
  },
  addDirectories: {
    destination: isText,
    directories: listOf(isText),
  },
  removeDirectories: {
    destination: isText,
    directories: listOf(isText),
  },
});

export const INBOUND_TYPES: ReadonlySet<string> = new Set([
  "protocol_init",
  "user_message",
  "tool_approval",
  "question_answer",
  "interrupt",
  "permission_mode",
  "model_change",
  "session_command",
  "stop_task",
  "cancel_message",
  "control",
  "elicitation_answer",
  "dialog_answer",
  "host_tools",
  "host_tool_answer",
  "hook_answer",
  "session_list",
  "session_history",
  "transcript_restore",
  "shutdown"
]);

export const PLAIN_MESSAGES: ReadonlyMap<string, Check> = new Map(Object.entries<Check>({
  protocol_init: exactObject({
    type: oneOf("protocol_init"),
    id: optional(isText),
    channel: optional(isChannelName),
    version: integer(-9007199254740991, 9007199254740991),
    session: optional(isSessionChoice),
    model: optional(refined(isName, isNulFree)),
    permission_mode: optional(isPermissionMode),
    dir: optional(refined(isName, isNulFree)),
    options: optional(refined(exactObject({
      system_prompt: optional(isText),
      append_system_prompt: optional(isText),
      allowed_tools: optional(listOf(isName)),
      disallowed_tools: optional(listOf(isName)),
      add_dirs: optional(listOf(isName)),
      mcp_config: optional(either(isName, isObject)),
      settings: optional(either(isName, isObject)),
      plugin_dirs: optional(listOf(isName)),
      max_turns: optional(integer(1, 9007199254740991)),
      max_budget_usd: optional(isPositive),
      json_schema: optional(isObject),
      fallback_model: optional(isName),
      effort: optional(isName),
      max_thinking_tokens: optional(integer(0, 9007199254740991)),
      env: optional(recordOf(either(isText, isNull))),
      use_api_key: optional(isFlag),
      tool_input_deltas: optional(isFlag),
      hook_events: optional(isFlag),
      transcript_mirror: optional(isFlag),
      forward_subagent_text: optional(isFlag),
      prompt_timeout_ms: optional(integer(1, 2147483647)),
      dialogs: optional(listOf(isName)),
      first_token_timeout_ms: optional(integer(0, 2147483647)),
      stream_timeout_ms: optional(integer(0, 2147483647)),
      interrupt_timeout_ms: optional(integer(1, 2147483647)),
      shutdown_grace_ms: optional(integer(1, 2147483647)),
      worktree: optional(isWorktreeName),
      host_tools: isAbsent,
      host_hooks: isAbsent,
      max_queued: optional(integer(1, 10000)),
    }), isNulFree)),
  }),
  user_message: exactObject({
    type: oneOf("user_message"),
    id: optional(isText),
    channel: optional(isChannelName),
    text: isText,
    attachments: optional(listOf(isAttachment)),
    message_id: optional(isLowerUuid),
    delivery: optional(oneOf("queue", "steer", "replace", "now")),
  }),
  tool_approval: exactObject({
    type: oneOf("tool_approval"),
    id: optional(isText),
    channel: optional(isChannelName),
    request_id: isText,
    decision: oneOf("allow", "deny"),
    updatedInput: optional(isObject),
    updatedPermissions: optional(refined(listOf(isPermissionSuggestion), isNulFree)),
    message: optional(isText),
    interrupt: optional(isFlag),
  }),
  question_answer: exactObject({
    type: oneOf("question_answer"),
    id: optional(isText),
    channel: optional(isChannelName),
    request_id: isText,
    answers: recordOf(either(isText, listOf(isText))),
    annotations: optional(isObject),
    response: optional(isText),
  }),
  interrupt: exactObject({
    type: oneOf("interrupt"),
    id: optional(isText),
    channel: optional(isChannelName),
    cancel_queued: optional(isFlag),
    include_background: optional(isFlag),
  }),
  permission_mode: exactObject({
    type: oneOf("permission_mode"),
    id: optional(isText),
    channel: optional(isChannelName),
    mode: oneOf("default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "delegate", "auto", "manual"),
  }),
  model_change: exactObject({
    type: oneOf("model_change"),
    id: optional(isText),
    channel: optional(isChannelName),
    model: either(refined(isName, isNulFree), isNull),
  }),
  stop_task: exactObject({
    type: oneOf("stop_task"),
    id: optional(isText),
    channel: optional(isChannelName),
    task_id: isName,
  }),
  cancel_message: exactObject({
    type: oneOf("cancel_message"),
    id: optional(isText),
    channel: optional(isChannelName),
    message_id: isLowerUuid,
  }),
  elicitation_answer: exactObject({
    type: oneOf("elicitation_answer"),
    id: optional(isText),
    channel: optional(isChannelName),
    request_id: isText,
    action: oneOf("accept", "decline", "cancel"),
    content: optional(isObject),
  }),
  dialog_answer: exactObject({
    type: oneOf("dialog_answer"),
    id: optional(isText),
    channel: optional(isChannelName),
    request_id: isText,
    behavior: oneOf("completed", "cancelled"),
    result: optional(isAny),
  }),
  host_tool_answer: exactObject({
    type: oneOf("host_tool_answer"),
    id: optional(isText),
    channel: optional(isChannelName),
    request_id: isText,
    text: optional(isText),
    content: isAbsent,
    is_error: optional(isFlag),
  }),
  hook_answer: exactObject({
    type: oneOf("hook_answer"),
    id: optional(isText),
    channel: optional(isChannelName),
    request_id: isText,
    decision: optional(oneOf("allow", "deny", "ask")),
    reason: optional(isText),
    updatedInput: optional(isObject),
    updatedOutput: optional(isAny),
    context: optional(isText),
    stop: optional(isText),
  }),
  shutdown: exactObject({
    type: oneOf("shutdown"),
    id: optional(isText),
    channel: optional(isChannelName),
    drain: optional(isFlag),
  }),
}));
