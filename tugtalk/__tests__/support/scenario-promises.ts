/** The promises of each scenario of `tugtalk simulate`, as parts of messages of the bridge. */
import type { Received } from "../../testing/drivers/bridge-process.ts";

export type ScenarioPromise = {
  /** How many messages of the user it has turns for. */
  readonly turns: number;
  readonly shows: readonly Readonly<Record<string, unknown>>[];
  /** Further options of its session. */
  readonly options?: object;
  /** The prompts that the host leaves without an answer. */
  readonly leaves?: (prompt: Received) => boolean;
};

const tool = (tool_name: string) => ({ type: "tool_use", tool_name, status: "complete" });

const prompt = (tool_name: string, ...suggestions: readonly string[]) => ({
  type: "control_request_forward",
  tool_name,
  permission_suggestions: suggestions.map((type) => ({ type })),
});

const changed = (type: string) => ({
  type: "tool_use_structured",
  structured_result: { type },
});

const failed = (terminal_reason: string) => ({
  type: "turn_complete",
  result: "error",
  terminal_reason,
});

const question = (...multi: readonly boolean[]) => ({
  type: "control_request_forward",
  is_question: true,
  input: { questions: multi.map((multiSelect) => ({ multiSelect })) },
});

export const SCENARIO_PROMISES: Readonly<Record<string, ScenarioPromise>> = {
  demonstration: {
    turns: 3,
    shows: [
      { type: "thinking_text", is_partial: false },
      prompt("Write", "setMode"),
      question(false, true),
      { type: "task_notification", status: "completed" },
      tool("TaskUpdate"),
    ],
  },
  protocol: { turns: 2, shows: [{ type: "control_request_forward", is_question: true }] },
  conversation: {
    turns: 5,
    shows: [
      { type: "thinking_text", is_partial: false },
      { type: "cost_update", num_turns: 1 },
    ],
  },
  history: { turns: 1, shows: [{ type: "turn_complete" }] },
  streaming: { turns: 2, shows: [{ type: "thinking_text" }, { type: "assistant_text" }] },
  permissions: {
    turns: 5,
    shows: [
      prompt("Bash", "addRules"),
      prompt("Write", "setMode"),
      { ...prompt("Bash", "addRules", "addDirectories"), blocked_path: "/work/outside/hn.txt" },
      prompt("Bash", "addRules", "addDirectories", "setMode"),
      prompt("Read", "addRules"),
      prompt("WebFetch", "addRules"),
    ],
  },
  questions: {
    turns: 4,
    shows: [
      question(false),
      question(true),
      question(false, true, false),
      { input: { questions: [{ options: [{ preview: /┌/ }, {}] }] } },
    ],
  },
  plan: {
    turns: 1,
    shows: [
      { type: "permission_mode_changed", mode: "plan" },
      { type: "control_request_forward", tool_name: "ExitPlanMode" },
      { type: "permission_mode_changed", mode: "default" },
    ],
  },
  forms: {
    turns: 3,
    shows: [
      { type: "elicitation_request", mode: "form", message: "What should be ordered?" },
      { type: "elicitation_request", mode: "url", url: "https://example.com/login?state=17" },
      { type: "elicitation_complete" },
      { type: "control_request_cancel", reason: "withdrawn" },
    ],
    leaves: ({ message }) => message === "Quick: yes or no?",
  },
  dialog: {
    turns: 1,
    shows: [{ type: "dialog_request", dialog_kind: "refusal_fallback_prompt" }],
  },
  diffs: {
    turns: 3,
    shows: [
      { structured_result: { replaceAll: true, structuredPatch: [{}, {}] } },
      changed("create"),
      changed("update"),
      { structured_result: { edit_mode: "replace", cell_id: "c1" } },
    ],
  },
  shell: {
    turns: 4,
    shows: [
      { type: "tool_result", output: /\[32m✓/ },
      { type: "tool_result", output: /Output too large/ },
      { type: "tool_result", is_error: true, output: /^Exit code 2/ },
      { type: "tool_result", is_error: true, output: /timed out/ },
      { type: "tool_progress", elapsed_time_seconds: 6 },
    ],
  },
  images: {
    turns: 1,
    shows: [
      { structured_result: { type: "image" } },
      { type: "tool_result", content: [{ type: "image" }, { type: "text" }] },
    ],
  },
  tasks: {
    turns: 2,
    shows: ["TaskCreate", "TaskUpdate", "TaskGet", "TaskList", "TodoWrite"].map(tool),
  },
  subagents: {
    turns: 3,
    shows: [
      { type: "control_request_forward", agent_id: "atask0001" },
      { type: "task_started", spawn_depth: 2 },
      { type: "task_notification", summary: "There are three files." },
    ],
  },
  background: {
    turns: 2,
    shows: [
      { type: "background_tasks", tasks: [{ task_type: "local_bash" }] },
      { type: "turn_started", trigger: "task" },
      { type: "control_request_forward", agent_id: "a75a829b5362100e5" },
      { type: "turn_complete", text: "The agent has written `bg.txt`." },
    ],
  },
  mcp: {
    turns: 1,
    shows: [
      {
        type: "system_metadata",
        mcp_servers: ["connected", "needs-auth", "failed", "pending", "disabled"].map((status) => ({
          status,
        })),
      },
      prompt("mcp__files__echo", "addRules"),
      { type: "tool_result", is_error: true, tool_name: "mcp__files__boom" },
    ],
  },
  hooks: {
    turns: 2,
    shows: [
      { type: "hook_event", hook_event: "SessionStart", phase: "response" },
      { type: "hook_event", hook_event: "PreToolUse" },
      { type: "hook_event", hook_event: "Stop" },
      { type: "tool_result", is_error: true },
    ],
  },
  "host-tools": {
    turns: 1,
    options: {
      host_tools: [
        {
          name: "level",
          description: "The level of the water at a place.",
          input_schema: {
            type: "object",
            properties: { place: { type: "string" }, unit: { enum: ["m", "ft"] } },
          },
        },
        {
          name: "clock",
          description: "The time of day.",
          input_schema: { type: "object" },
          permission: "allow",
        },
      ],
      host_hooks: [
        { hook_id: "prompt", event: "UserPromptSubmit" },
        { hook_id: "guard", event: "PreToolUse", matcher: "Bash" },
        { hook_id: "audit", event: "PostToolUse" },
        { hook_id: "end", event: "Stop" },
      ],
    },
    shows: [
      { type: "system_metadata", mcp_servers: [{ name: "host", status: "connected" }] },
      { type: "hook_request", hook_id: "prompt", input: { prompt: "message 1" } },
      { type: "hook_request", hook_id: "guard", input: { tool_name: "Bash" } },
      { type: "hook_request", hook_id: "audit", input: { tool_name: "mcp__host__clock" } },
      { type: "hook_request", hook_id: "end", input: { last_assistant_message: "That was all." } },
      prompt("mcp__host__level", "addRules"),
      { type: "host_tool_request", tool_name: "level", input: { place: "some place", unit: "m" } },
      { type: "tool_result", tool_name: "mcp__host__clock", output: "done", is_error: false },
    ],
  },
  errors: {
    turns: 8,
    shows: [
      { type: "api_retry", error_status: 529, attempt: 2 },
      { type: "rate_limit" },
      failed("api_error"),
      failed("max_turns"),
      failed("budget_exhausted"),
      failed("prompt_too_long"),
    ],
  },
  fallback: { turns: 1, shows: [{ type: "model_fallback", trigger: "overloaded" }] },
  compaction: {
    turns: 3,
    shows: [
      { type: "compact_boundary", trigger: "auto" },
      { type: "user_text", kind: "compact_summary" },
      { type: "compact_boundary", trigger: "manual" },
    ],
  },
  slow: { turns: 1, shows: [tool("Bash"), { type: "turn_complete", result: "success" }] },
  crash: {
    turns: 4,
    shows: [
      { type: "assistant_text", status: "abandoned" },
      { type: "process_exit", exit_code: 1, expected: false, will_restart: true },
      { type: "process_exit", signal: "SIGKILL", will_restart: true },
      { type: "control_request_cancel", reason: "exited" },
    ],
    leaves: () => true,
  },
  "start-failure": { turns: 0, shows: [] },
  unknown: {
    turns: 1,
    shows: [
      { type: "unknown_event", raw: { type: "hologram" } },
      { type: "unknown_event", raw: { subtype: "weather_changed" } },
      tool("Teleport"),
    ],
  },
};
