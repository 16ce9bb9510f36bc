/** Made by `npm run plain` from the schemas, and not edited by hand. */
import { byType, either, integer, isAny, isFlag, isNumber, isObject, isText, listOf, looseObject, nullish, oneOf, optional, recordOf, type Check } from "../base/plain-value.ts";

const isUsage = looseObject<object>({
  input_tokens: nullish(isNumber),
  cache_creation_input_tokens: nullish(isNumber),
  cache_read_input_tokens: nullish(isNumber),
  output_tokens: nullish(isNumber),
});

const isModelUsage = looseObject<object>({
  inputTokens: optional(isNumber),
  outputTokens: optional(isNumber),
  maxOutputTokens: optional(isNumber),
  contextWindow: optional(isNumber),
  cacheReadInputTokens: optional(isNumber),
  cacheCreationInputTokens: optional(isNumber),
  costUSD: optional(isNumber),
});

const isSubagentStats = looseObject<object>({
  spawned: optional(isNumber),
  completed: optional(isNumber),
  failed: optional(isNumber),
});

const isRateLimitInfo = looseObject<object>({
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

const isBackgroundTask = looseObject<object>({
  task_id: isText,
  run_id: nullish(isText),
  task_type: nullish(isText),
  subagent_type: nullish(isText),
  description: nullish(isText),
  parent_task_id: nullish(isText),
  ambient: nullish(isFlag),
});

const isTaskUsage = looseObject<object>({
  total_tokens: isNumber,
  tool_uses: isNumber,
  duration_ms: isNumber,
});

const isResourceLink = looseObject<object>({
  uri: isText,
  name: nullish(isText),
  title: nullish(isText),
  mimeType: nullish(isText),
});

const isTaskPatch = looseObject<object>({
  is_backgrounded: optional(isFlag),
  status: nullish(isText),
  description: nullish(isText),
  error: nullish(isText),
  end_time: nullish(isNumber),
  total_paused_ms: nullish(isNumber),
});

const isQuestionOption = looseObject<object>({
  label: isText,
  description: optional(isText),
  preview: nullish(isText),
});

const isQuestion = looseObject<object>({
  question: isText,
  header: optional(isText),
  multiSelect: optional(isFlag),
  options: optional(listOf(isQuestionOption)),
});

export const PLAIN_LINES: Readonly<Record<string, Check<object>>> = {
  "system/init": looseObject<object>({
    session_id: isText,
    uuid: optional(isText),
    cwd: optional(isText),
    model: optional(isText),
    permissionMode: optional(isText),
    claude_code_version: optional(isText),
    apiKeySource: optional(isText),
    output_style: optional(isText),
    fast_mode_state: optional(isText),
    tools: optional(listOf(isText)),
    slash_commands: optional(listOf(isText)),
    agents: optional(listOf(isText)),
    skills: optional(listOf(isText)),
    plugins: optional(listOf(isAny)),
    mcp_servers: optional(listOf(looseObject<object>({
      name: isText,
      status: isText,
    }))),
  }),
  "system/status": looseObject<object>({
    session_id: optional(isText),
    uuid: optional(isText),
    status: nullish(isText),
    permissionMode: optional(isText),
    user_message_uuids: optional(listOf(isText)),
    compact_result: optional(isText),
    compact_error: optional(isText),
  }),
  "system/compact_boundary": looseObject<object>({
    session_id: optional(isText),
    uuid: optional(isText),
    compact_metadata: optional(looseObject<object>({
      trigger: optional(isText),
      pre_tokens: optional(isNumber),
      post_tokens: optional(isNumber),
      preserved_messages: optional(looseObject<object>({
        all_uuids: optional(listOf(isText)),
      })),
    })),
  }),
  assistant: looseObject<object>({
    session_id: optional(isText),
    uuid: optional(isText),
    parent_tool_use_id: nullish(isText),
    message: looseObject<object>({
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
          from: looseObject<object>({
            model: isText,
          }),
          to: looseObject<object>({
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
  user: looseObject<object>({
    session_id: optional(isText),
    uuid: optional(isText),
    parent_tool_use_id: nullish(isText),
    message: looseObject<object>({
      content: either(isText, listOf(byType({
        text: {
          text: isText,
        },
        tool_result: {
          tool_use_id: isText,
          content: nullish(either(isText, listOf(looseObject<object>({
            type: isText,
          })))),
          is_error: nullish(isFlag),
        },
      }))),
    }),
    isReplay: optional(isFlag),
    isSynthetic: optional(isFlag),
    tool_use_result: optional(isAny),
    tool_result_meta: optional(listOf(looseObject<object>({
      id: isText,
      permission_decision: nullish(looseObject<object>({
        decision: isText,
        source: isText,
        reason_type: nullish(isText),
      })),
      non_execution_kind: nullish(isText),
    }))),
  }),
  result: looseObject<object>({
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
    permission_denials: optional(listOf(looseObject<object>({
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
    origin: nullish(looseObject<object>({
      kind: isText,
    })),
  }),
  stream_event: looseObject<object>({
    session_id: optional(isText),
    uuid: optional(isText),
    parent_tool_use_id: nullish(isText),
    event: byType({
      message_start: {
        message: looseObject<object>({
          id: isText,
          model: optional(isText),
          usage: optional(isUsage),
        }),
      },
      content_block_start: {
        index: integer(0, 2147483647),
        content_block: looseObject<object>({
          type: isText,
          id: optional(isText),
          name: optional(isText),
        }),
      },
      content_block_delta: {
        index: integer(0, 2147483647),
        delta: looseObject<object>({
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
        delta: optional(looseObject<object>({
          stop_reason: nullish(isText),
        })),
        usage: optional(isUsage),
      },
      message_stop: {},
      ping: {},
    }),
  }),
  control_request: looseObject<object>({
    request_id: isText,
    request: looseObject<object>({
      subtype: isText,
    }),
  }),
  control_response: looseObject<object>({
    response: looseObject<object>({
      subtype: oneOf("success", "error"),
      request_id: optional(isText),
      response: nullish(isObject),
      error: optional(isText),
      error_code: optional(isText),
    }),
  }),
  control_cancel_request: looseObject<object>({
    request_id: isText,
  }),
  keep_alive: looseObject<object>({}),
};

export const PLAIN_NOTIFICATIONS: Readonly<Record<string, { name: string; added?: object; isPlain: Check<object> }>> = {
  rate_limit_event: {
    name: "rate_limit",
    isPlain: looseObject<object>({
      rate_limit_info: isRateLimitInfo,
    }),
  },
  "system/hook_started": {
    name: "hook_event",
    added: {"phase":"started"},
    isPlain: looseObject<object>({
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
    isPlain: looseObject<object>({
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
    isPlain: looseObject<object>({
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
    isPlain: looseObject<object>({
      estimated_tokens: isNumber,
      estimated_tokens_delta: isNumber,
      user_message_uuid: nullish(isText),
    }),
  },
  command_lifecycle: {
    name: "command_lifecycle",
    isPlain: looseObject<object>({
      command_uuid: isText,
      state: isText,
      wakeup_source: nullish(isText),
    }),
  },
  "system/background_tasks_changed": {
    name: "background_tasks",
    isPlain: looseObject<object>({
      tasks: listOf(isBackgroundTask),
    }),
  },
  "system/task_started": {
    name: "task_started",
    isPlain: looseObject<object>({
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
    isPlain: looseObject<object>({
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
    isPlain: looseObject<object>({
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
    isPlain: looseObject<object>({
      task_id: isText,
      run_id: nullish(isText),
      tool_use_id: optional(isText),
      patch: isTaskPatch,
    }),
  },
};

export const isPermission: Check<object> = looseObject<object>({
  subtype: oneOf("can_use_tool"),
  tool_name: isText,
  input: isObject,
  tool_use_id: optional(isText),
  agent_id: optional(isText),
  permission_suggestions: nullish(listOf(looseObject<object>({
    type: isText,
  }))),
  blocked_path: nullish(isText),
  decision_reason: nullish(isText),
});

export const isQuestions: Check<object> = looseObject<object>({
  questions: listOf(isQuestion),
});
