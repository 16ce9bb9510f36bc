/** Notifications about tasks: subagents, background shells and MCP tasks (§15). */
import { z } from "zod";
import {
  flag,
  notification,
  nullish,
  nullishFields,
  number,
  optional,
  text,
} from "./claude-fields.ts";

const usage = z.looseObject({ total_tokens: number, tool_uses: number, duration_ms: number });

/** Fields that the notifications of one task share. */
const task = { task_id: text, run_id: nullish(text), tool_use_id: optional(text) };

const backgroundTask = z.looseObject({
  task_id: text,
  ...nullishFields(text, "run_id", "task_type", "subagent_type", "description", "parent_task_id"),
  ambient: nullish(flag),
});

/** A link in the result of an MCP tool. */
const resourceLink = z.looseObject({
  uri: text,
  ...nullishFields(text, "name", "title", "mimeType"),
});

export const TASK_NOTIFICATIONS = {
  "system/background_tasks_changed": notification("background_tasks", {
    tasks: z.array(backgroundTask),
  }),
  "system/mcp_tasks_changed": notification("mcp_tasks", {}),
  "system/task_notification": notification("task_notification", {
    ...task,
    status: text,
    usage: nullish(usage),
    resource_links: nullish(z.array(resourceLink)),
    ...nullishFields(text, "reason", "output_file", "summary"),
    ...nullishFields(flag, "summary_is_report", "skip_transcript", "ambient"),
  }),
  "system/task_progress": notification("task_progress", {
    ...task,
    usage: nullish(usage),
    ...nullishFields(text, "description", "subagent_type", "last_tool_name", "summary"),
  }),
  "system/task_started": notification("task_started", {
    ...task,
    is_backgrounded: optional(flag),
    parent_task_id: optional(text),
    ...nullishFields(text, "description", "subagent_type", "task_type", "workflow_name", "prompt"),
    spawn_depth: nullish(number),
    ...nullishFields(flag, "skip_transcript", "ambient"),
  }),
  "system/task_summary": notification("task_summary", {}),
  "system/task_updated": notification("task_updated", {
    ...task,
    patch: z.looseObject({
      is_backgrounded: optional(flag),
      ...nullishFields(text, "status", "description", "error"),
      ...nullishFields(number, "end_time", "total_paused_ms"),
    }),
  }),
} as const;
