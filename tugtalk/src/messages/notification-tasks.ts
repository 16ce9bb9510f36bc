/** Notifications about tasks: subagents, background shells and MCP tasks (§15). */
import { z } from "zod";
import { notification, nullish, nullishFields, optional } from "./claude-fields.ts";
import { flag, number, text } from "./message-schemas.ts";

const TaskUsage = z
  .looseObject({
    total_tokens: number.describe("The tokens of all model calls."),
    tool_uses: number.describe("The number of tool calls."),
    duration_ms: number.describe("The time since the start, in ms."),
  })
  .meta({ id: "TaskUsage", description: "The usage of a task since its start." });

/** Fields that the notifications of one task share. */
const task = {
  task_id: text.describe("The task."),
  run_id: nullish(text).describe(
    "One run of the task, which may be continued in another one. Since Claude 2.1.330.",
  ),
  tool_use_id: optional(text).describe("The tool call that started the task."),
};

export const BackgroundTask = z
  .looseObject({
    task_id: text.describe("The task, as for `stop_task`."),
    ...nullishFields(text, {
      run_id: "One run of the task.",
      task_type: "`local_agent` for a subagent, `local_bash` for a command, and others.",
      subagent_type: "The kind of subagent.",
      description: "The purpose of the task.",
      parent_task_id: "The task that started it.",
    }),
    ambient: nullish(flag).describe("A task of Claude's own that is not shown by itself."),
  })
  .meta({ id: "BackgroundTask", description: "A task that runs in the background." });

const ResourceLink = z
  .looseObject({
    uri: text.describe("The address of the resource."),
    ...nullishFields(text, {
      name: "Its name.",
      title: "Its name for people.",
      mimeType: "Its media type.",
    }),
  })
  .meta({ id: "ResourceLink", description: "A link in the result of an MCP tool." });

const TaskPatch = z
  .looseObject({
    is_backgrounded: optional(flag).describe("The task runs in the background."),
    ...nullishFields(text, {
      status: "`pending`, `running`, `completed`, `failed`, `killed` or `paused`.",
      description: "The purpose of the task.",
      error: "Why it failed.",
    }),
    ...nullishFields(number, {
      end_time: "When it ended, in ms since 1970.",
      total_paused_ms: "How long it has been paused, in ms.",
    }),
  })
  .meta({ id: "TaskPatch", description: "The fields of a task that have changed." });

export const TASK_NOTIFICATIONS = {
  "system/background_tasks_changed": notification(
    "background_tasks",
    "The tasks that run in the background, each time that they change. Since Claude 2.1.330.",
    { tasks: z.array(BackgroundTask).describe("All of them; they replace those before.") },
  ),
  "system/task_notification": notification(
    "task_notification",
    "A task has ended. Claude may begin a turn because of it, with the trigger `task`. Since Claude 2.1.197.",
    {
      ...task,
      status: text.describe("`completed`, `failed` or `stopped`."),
      usage: nullish(TaskUsage).describe("Its usage so far."),
      resource_links: nullish(z.array(ResourceLink)).describe(
        "Links in the result of an MCP tool.",
      ),
      ...nullishFields(text, {
        reason: "Why it was stopped, such as `worker_restart`.",
        output_file: "The path of a file with the output.",
        summary: "The end in a few words, or the report of a subagent.",
      }),
      ...nullishFields(flag, {
        summary_is_report: "`summary` is the report of a subagent.",
        skip_transcript: "Not meant to be shown in the conversation.",
        ambient: "A task of Claude's own that is not shown by itself.",
      }),
    },
  ),
  "system/task_progress": notification(
    "task_progress",
    "The progress of a running task. Since Claude 2.1.197.",
    {
      ...task,
      usage: nullish(TaskUsage).describe("Its usage so far."),
      ...nullishFields(text, {
        description: "Its present step.",
        subagent_type: "The kind of subagent.",
        last_tool_name: "The tool that it called last.",
        summary: "Its progress in a few words, written by a model.",
      }),
    },
  ),
  "system/task_started": notification(
    "task_started",
    "A task has started. Not every task is in the background: a long Bash is one too. Since Claude 2.1.197.",
    {
      ...task,
      is_backgrounded: optional(flag).describe(
        "The task runs in the background. Since Claude 2.1.330.",
      ),
      parent_task_id: optional(text).describe("The task that started it. Since Claude 2.1.330."),
      ...nullishFields(text, {
        description: "The purpose of the task.",
        subagent_type: "The kind of subagent.",
        task_type: "`local_agent` for a subagent, `local_bash` for a command, and others.",
        workflow_name: "The workflow that the task runs.",
        prompt: "The prompt of the subagent.",
      }),
      spawn_depth: nullish(number).describe(
        "1 for a task of the main conversation, 2 for a task of that one, … Since Claude 2.1.330.",
      ),
      ...nullishFields(flag, {
        skip_transcript: "Not meant to be shown in the conversation.",
        ambient: "A task of Claude's own that is not shown by itself.",
      }),
    },
  ),
  "system/task_updated": notification(
    "task_updated",
    "A task has changed. The end of a task may show only here. Since Claude 2.1.197.",
    { ...task, patch: TaskPatch },
  ),
} as const;
