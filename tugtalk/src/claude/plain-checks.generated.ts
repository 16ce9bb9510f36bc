/** Made by `npm run plain` from the schemas, and not edited by hand. */
import { byType, either, integer, isAny, isFlag, isNumber, isObject, isText, listOf, looseObject, nullish, oneOf, optional, recordOf, type Check, type Guard } from "../base/plain-value.ts";
import type { AskUserQuestionInput, PermissionRequest } from "../protocol-types.ts";
import type { InitializeAnswer } from "../messages/initialize-answer.ts";

const isMcpServer = looseObject({
  name: isText,
  status: isText,
});

const isUsage = looseObject({
  input_tokens: nullish(isNumber),
  cache_creation_input_tokens: nullish(isNumber),
  cache_read_input_tokens: nullish(isNumber),
  output_tokens: nullish(isNumber),
});

const isModelUsage = looseObject({
  inputTokens: optional(isNumber),
  outputTokens: optional(isNumber),
  maxOutputTokens: optional(isNumber),
  contextWindow: optional(isNumber),
  cacheReadInputTokens: optional(isNumber),
  cacheCreationInputTokens: optional(isNumber),
  costUSD: optional(isNumber),
});

const isSubagentStats = looseObject({
  spawned: optional(isNumber),
  completed: optional(isNumber),
  failed: optional(isNumber),
});

const isRateLimitInfo = looseObject({
  status: isText,
  rateLimitType: nullish(isText),
  overageStatus: nullish(isText),
  overageDisabledReason: nullish(isText),
  limitScope: nullish(isText),
  errorCode: nullish(isText),
  resetsAt: nullish(isNumber),
  utilization: nullish(isNumber),
  overageResetsAt: nullish(isNumber),
  surpassedThreshold: nullish(isNumber),
  isUsingOverage: nullish(isFlag),
  overageInUse: nullish(isFlag),
  overageEnabled: nullish(isFlag),
  canUserPurchaseCredits: nullish(isFlag),
  hasChargeableSavedPaymentMethod: nullish(isFlag),
});

const isBackgroundTask = looseObject({
  task_id: isText,
  run_id: nullish(isText),
  task_type: nullish(isText),
  subagent_type: nullish(isText),
  description: nullish(isText),
  parent_task_id: nullish(isText),
  ambient: nullish(isFlag),
});

const isTaskUsage = looseObject({
  total_tokens: isNumber,
  tool_uses: isNumber,
  duration_ms: isNumber,
});

const isResourceLink = looseObject({
  uri: isText,
  name: nullish(isText),
  title: nullish(isText),
  mimeType: nullish(isText),
});

const isTaskPatch = looseObject({
  is_backgrounded: optional(isFlag),
  status: nullish(isText),
  description: nullish(isText),
  error: nullish(isText),
  end_time: nullish(isNumber),
  total_paused_ms: nullish(isNumber),
});

const isQuestionOption = looseObject({
  label: isText,
  description: optional(isText),
  preview: nullish(isText),
});

const isQuestion = looseObject({
  question: isText,
  header: optional(isText),
  multiSelect: optional(isFlag),
  options: optional(listOf(isQuestionOption)),
});

export const PLAIN_LINES: ReadonlyMap<string, Check> = new Map(Object.entries<Check>({
  "system/init": looseObject({
    session_id: isText,
    uuid: optional(isText),
    cwd: optional(isText),
    model: optional(isText),
    permissionMode: optional(isText),
    claude_code_version: optional(isText),
    tools: optional(listOf(isText)),
    slash_commands: optional(listOf(isText)),
    agents: optional(listOf(isText)),
    skills: optional(listOf(isText)),
    plugins: optional(listOf(isAny)),
    mcp_servers: optional(listOf(isMcpServer)),
    apiKeySource: optional(isText),
    output_style: optional(isText),
    fast_mode_state: optional(isText),
  }),
  "system/status": looseObject({
    session_id: optional(isText),
    uuid: optional(isText),
    status: nullish(isText),
    permissionMode: optional(isText),
    user_message_uuids: optional(listOf(isText)),
    compact_result: optional(isText),
    compact_error: optional(isText),
  }),
  "system/compact_boundary": looseObject({
    session_id: optional(isText),
    uuid: optional(isText),
    compact_metadata: optional(looseObject({
      trigger: optional(isText),
      pre_tokens: optional(isNumber),
      post_tokens: optional(isNumber),
      preserved_messages: optional(looseObject({
        all_uuids: optional(listOf(isText)),
      })),
    })),
  }),
  assistant: looseObject({
    session_id: optional(isText),
    uuid: optional(isText),
    parent_tool_use_id: nullish(isText),
    message: looseObject({
      id: isText,
      model: optional(isText),
      content: listOf(byType({
        text: {
          text: isText,
        },
        thinking: {
          thinking: isText,
        },
        redacted_thinking: {},
        tool_use: {
          id: isText,
          name: isText,
          input: isObject,
        },
        fallback: {
          from: looseObject({
            model: isText,
          }),
          to: looseObject({
            model: isText,
          }),
        },
      })),
      stop_reason: nullish(isText),
      usage: optional(isUsage),
    }),
    error: nullish(isText),
    api_error_type: nullish(isText),
    context_usage: optional(isObject),
    usage_report: optional(isObject),
    supersedes: optional(listOf(isText)),
  }),
  user: looseObject({
    session_id: optional(isText),
    uuid: optional(isText),
    parent_tool_use_id: nullish(isText),
    message: looseObject({
      content: either(isText, listOf(byType({
        text: {
          text: isText,
        },
        tool_result: {
          tool_use_id: isText,
          content: nullish(either(isText, listOf(looseObject({
            type: isText,
          })))),
          is_error: nullish(isFlag),
        },
      }))),
    }),
    isReplay: optional(isFlag),
    isSynthetic: optional(isFlag),
    tool_use_result: optional(isAny),
    tool_result_meta: optional(listOf(looseObject({
      id: isText,
      permission_decision: nullish(looseObject({
        decision: isText,
        source: isText,
        reason_type: nullish(isText),
      })),
      non_execution_kind: nullish(isText),
    }))),
  }),
  result: looseObject({
    session_id: optional(isText),
    uuid: optional(isText),
    subtype: isText,
    is_error: isFlag,
    result: optional(isText),
    errors: optional(listOf(isText)),
    total_cost_usd: optional(isNumber),
    num_turns: optional(isNumber),
    duration_ms: optional(isNumber),
    duration_api_ms: optional(isNumber),
    usage: optional(isUsage),
    modelUsage: optional(recordOf(isModelUsage)),
    model_usage_since_last_result: optional(recordOf(isModelUsage)),
    permission_denials: optional(listOf(looseObject({
      tool_name: isText,
      tool_use_id: isText,
    }))),
    api_error_status: nullish(isNumber),
    api_error_type: nullish(isText),
    ttft_ms: optional(isNumber),
    ttft_stream_ms: optional(isNumber),
    time_to_request_ms: optional(isNumber),
    first_content_frame_ms: optional(isNumber),
    subagent_stats: optional(isSubagentStats),
    terminal_reason: nullish(isText),
    stop_reason: nullish(isText),
    structured_output: optional(isAny),
    origin: nullish(looseObject({
      kind: isText,
    })),
  }),
  stream_event: looseObject({
    session_id: optional(isText),
    uuid: optional(isText),
    parent_tool_use_id: nullish(isText),
    event: byType({
      message_start: {
        message: looseObject({
          id: isText,
          model: optional(isText),
          usage: optional(isUsage),
        }),
      },
      content_block_start: {
        index: integer(0, 2147483647),
        content_block: looseObject({
          type: isText,
          id: optional(isText),
          name: optional(isText),
        }),
      },
      content_block_delta: {
        index: integer(0, 2147483647),
        delta: looseObject({
          type: isText,
          text: optional(isText),
          thinking: optional(isText),
          partial_json: optional(isText),
        }),
      },
      content_block_stop: {
        index: integer(0, 2147483647),
      },
      message_delta: {
        delta: optional(looseObject({
          stop_reason: nullish(isText),
        })),
        usage: optional(isUsage),
      },
      message_stop: {},
      ping: {},
    }),
  }),
  control_request: looseObject({
    request_id: isText,
    request: looseObject({
      subtype: isText,
    }),
  }),
  control_response: looseObject({
    response: looseObject({
      subtype: oneOf("success", "error"),
      request_id: optional(isText),
      response: nullish(isObject),
      error: optional(isText),
      error_code: optional(isText),
    }),
  }),
  control_cancel_request: looseObject({
    request_id: isText,
  }),
  keep_alive: looseObject({}),
}));

export const PLAIN_NOTIFICATIONS: ReadonlyMap<string, { name: string; added?: object; isPlain: Check }> = new Map(Object.entries<{ name: string; added?: object; isPlain: Check }>({
  rate_limit_event: {
    name: "rate_limit",
    isPlain: looseObject({
      rate_limit_info: isRateLimitInfo,
    }),
  },
  "system/hook_started": {
    name: "hook_event",
    added: {"phase":"started"},
    isPlain: looseObject({
      phase: oneOf("started"),
      hook_id: isText,
      hook_event: isText,
      hook_name: nullish(isText),
      stdout: nullish(isText),
      stderr: nullish(isText),
      output: nullish(isText),
      outcome: nullish(isText),
      exit_code: nullish(isNumber),
    }),
  },
  "system/hook_progress": {
    name: "hook_event",
    added: {"phase":"progress"},
    isPlain: looseObject({
      phase: oneOf("progress"),
      hook_id: isText,
      hook_event: isText,
      hook_name: nullish(isText),
      stdout: nullish(isText),
      stderr: nullish(isText),
      output: nullish(isText),
      outcome: nullish(isText),
      exit_code: nullish(isNumber),
    }),
  },
  "system/hook_response": {
    name: "hook_event",
    added: {"phase":"response"},
    isPlain: looseObject({
      phase: oneOf("response"),
      hook_id: isText,
      hook_event: isText,
      hook_name: nullish(isText),
      stdout: nullish(isText),
      stderr: nullish(isText),
      output: nullish(isText),
      outcome: nullish(isText),
      exit_code: nullish(isNumber),
    }),
  },
  "system/thinking_tokens": {
    name: "thinking_tokens",
    isPlain: looseObject({
      estimated_tokens: isNumber,
      estimated_tokens_delta: isNumber,
      user_message_uuid: nullish(isText),
    }),
  },
  command_lifecycle: {
    name: "command_lifecycle",
    isPlain: looseObject({
      command_uuid: isText,
      state: isText,
      wakeup_source: nullish(isText),
    }),
  },
  "system/background_tasks_changed": {
    name: "background_tasks",
    isPlain: looseObject({
      tasks: listOf(isBackgroundTask),
    }),
  },
  "system/task_started": {
    name: "task_started",
    isPlain: looseObject({
      task_id: isText,
      run_id: nullish(isText),
      tool_use_id: optional(isText),
      is_backgrounded: optional(isFlag),
      parent_task_id: optional(isText),
      description: nullish(isText),
      subagent_type: nullish(isText),
      task_type: nullish(isText),
      workflow_name: nullish(isText),
      prompt: nullish(isText),
      spawn_depth: nullish(isNumber),
      skip_transcript: nullish(isFlag),
      ambient: nullish(isFlag),
    }),
  },
  "system/task_progress": {
    name: "task_progress",
    isPlain: looseObject({
      task_id: isText,
      run_id: nullish(isText),
      tool_use_id: optional(isText),
      usage: nullish(isTaskUsage),
      description: nullish(isText),
      subagent_type: nullish(isText),
      last_tool_name: nullish(isText),
      summary: nullish(isText),
    }),
  },
  "system/task_notification": {
    name: "task_notification",
    isPlain: looseObject({
      task_id: isText,
      run_id: nullish(isText),
      tool_use_id: optional(isText),
      status: isText,
      usage: nullish(isTaskUsage),
      resource_links: nullish(listOf(isResourceLink)),
      reason: nullish(isText),
      output_file: nullish(isText),
      summary: nullish(isText),
      summary_is_report: nullish(isFlag),
      skip_transcript: nullish(isFlag),
      ambient: nullish(isFlag),
    }),
  },
  "system/task_updated": {
    name: "task_updated",
    isPlain: looseObject({
      task_id: isText,
      run_id: nullish(isText),
      tool_use_id: optional(isText),
      patch: isTaskPatch,
    }),
  },
}));

export const TURN_KINDS: ReadonlySet<string> = new Set([
  "tool_progress",
  "tool_use_summary",
  "system/api_retry",
  "system/hook_progress",
  "system/hook_response",
  "system/hook_started",
  "system/informational",
  "system/local_command_output",
  "system/memory_recall",
  "system/model_fallback",
  "system/model_refusal_fallback",
  "system/model_refusal_no_fallback",
  "system/permission_denied",
  "system/thinking_tokens"
]);

export const isPermission = looseObject({
  subtype: oneOf("can_use_tool"),
  tool_name: isText,
  input: isObject,
  tool_use_id: optional(isText),
  agent_id: optional(isText),
  decision_reason: nullish(isText),
  blocked_path: nullish(isText),
  permission_suggestions: nullish(listOf(looseObject({
    type: isText,
  }))),
}) as Guard<PermissionRequest>;

export const isQuestions = looseObject({
  questions: listOf(isQuestion),
}) as Guard<AskUserQuestionInput>;

export const isInitializeAnswer = looseObject({
  models: optional(listOf(looseObject({
    value: isText,
  }))),
  commands: optional(listOf(looseObject({
    name: isText,
    description: optional(isText),
    argumentHint: optional(isText),
    aliases: optional(listOf(isText)),
    builtin: optional(isFlag),
  }))),
  agents: optional(listOf(looseObject({
    name: isText,
  }))),
  output_style: optional(isText),
  available_output_styles: optional(listOf(isText)),
  account: optional(isObject),
  claude_code_version: optional(isText),
}) as Guard<InitializeAnswer>;
