/** News of tasks: subagents, shells in the background, and what else works beside the conversation (§15). */
import { z } from "zod";
import {
  flag,
  known,
  notification,
  number,
  object,
  shown,
  shownFlag,
  shownNumber,
  shownText,
  text,
} from "./notification-schema.ts";

const usage = object({ total_tokens: number, tool_uses: number, duration_ms: number });

/** What the news of one task have in common. */
const task = { task_id: text, run_id: shownText, tool_use_id: known(text) };

const backgroundTask = object({
  task_id: text,
  run_id: shownText,
  task_type: shownText,
  subagent_type: shownText,
  description: shownText,
  parent_task_id: shownText,
  ambient: shownFlag,
});

/** A link that an MCP tool gave. */
const resourceLink = object({ uri: text, name: shownText, title: shownText, mimeType: shownText });

export const TASK_NOTIFICATIONS = {
  "system/background_tasks_changed": notification("background_tasks", {
    tasks: z.array(backgroundTask),
  }),
  "system/mcp_tasks_changed": notification("mcp_tasks", {}),
  "system/task_notification": notification("task_notification", {
    ...task,
    status: text,
    reason: shownText,
    output_file: shownText,
    summary: shownText,
    summary_is_report: shownFlag,
    usage: shown(usage),
    resource_links: shown(z.array(resourceLink)),
    skip_transcript: shownFlag,
    ambient: shownFlag,
  }),
  "system/task_progress": notification("task_progress", {
    ...task,
    description: shownText,
    subagent_type: shownText,
    usage: shown(usage),
    last_tool_name: shownText,
    summary: shownText,
  }),
  "system/task_started": notification("task_started", {
    ...task,
    description: shownText,
    subagent_type: shownText,
    is_backgrounded: known(flag),
    spawn_depth: shownNumber,
    parent_task_id: known(text),
    task_type: shownText,
    workflow_name: shownText,
    prompt: shownText,
    skip_transcript: shownFlag,
    ambient: shownFlag,
  }),
  "system/task_summary": notification("task_summary", {}),
  "system/task_updated": notification("task_updated", {
    ...task,
    patch: object({
      status: shownText,
      description: shownText,
      end_time: shownNumber,
      total_paused_ms: shownNumber,
      error: shownText,
      is_backgrounded: known(flag),
    }),
  }),
} as const;
