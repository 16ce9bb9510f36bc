/** Notifications about tasks: subagents, background shells and MCP tasks (§15). */
import { z } from "zod";
import {
  flag,
  notification,
  nullish,
  nullishFlag,
  nullishNumber,
  nullishText,
  number,
  object,
  optional,
  text,
} from "./claude-fields.ts";

const usage = object({ total_tokens: number, tool_uses: number, duration_ms: number });

/** Fields that the notifications of one task share. */
const task = { task_id: text, run_id: nullishText, tool_use_id: optional(text) };

const backgroundTask = object({
  task_id: text,
  run_id: nullishText,
  task_type: nullishText,
  subagent_type: nullishText,
  description: nullishText,
  parent_task_id: nullishText,
  ambient: nullishFlag,
});

/** A link in the result of an MCP tool. */
const resourceLink = object({
  uri: text,
  name: nullishText,
  title: nullishText,
  mimeType: nullishText,
});

export const TASK_NOTIFICATIONS = {
  "system/background_tasks_changed": notification("background_tasks", {
    tasks: z.array(backgroundTask),
  }),
  "system/mcp_tasks_changed": notification("mcp_tasks", {}),
  "system/task_notification": notification("task_notification", {
    ...task,
    status: text,
    reason: nullishText,
    output_file: nullishText,
    summary: nullishText,
    summary_is_report: nullishFlag,
    usage: nullish(usage),
    resource_links: nullish(z.array(resourceLink)),
    skip_transcript: nullishFlag,
    ambient: nullishFlag,
  }),
  "system/task_progress": notification("task_progress", {
    ...task,
    description: nullishText,
    subagent_type: nullishText,
    usage: nullish(usage),
    last_tool_name: nullishText,
    summary: nullishText,
  }),
  "system/task_started": notification("task_started", {
    ...task,
    description: nullishText,
    subagent_type: nullishText,
    is_backgrounded: optional(flag),
    spawn_depth: nullishNumber,
    parent_task_id: optional(text),
    task_type: nullishText,
    workflow_name: nullishText,
    prompt: nullishText,
    skip_transcript: nullishFlag,
    ambient: nullishFlag,
  }),
  "system/task_summary": notification("task_summary", {}),
  "system/task_updated": notification("task_updated", {
    ...task,
    patch: object({
      status: nullishText,
      description: nullishText,
      end_time: nullishNumber,
      total_paused_ms: nullishNumber,
      error: nullishText,
      is_backgrounded: optional(flag),
    }),
  }),
} as const;
