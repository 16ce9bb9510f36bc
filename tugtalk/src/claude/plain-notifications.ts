/**
 * The notifications that Claude prints in ordinary sessions, checked without a schema: their schemas
 * return such a message as it is. Any other one `schema-lines.ts` reads.
 */
import {
  type Check,
  type Checks,
  isFlag,
  isNumber,
  isText,
  listOf,
  looseObject,
  nullish,
  oneOf,
  optional,
} from "../base/plain-value.ts";
import type { CommonField } from "../messages/envelope.ts";
import { notificationFields } from "../messages/notification-fields.ts";
import type { Notification, NotificationKind } from "../messages/notifications.ts";

type MessageOf<Kind extends NotificationKind> = Extract<Notification, { kind: Kind }>["message"];
type Fields<Kind extends NotificationKind> = Checks<MessageOf<Kind>, "type" | CommonField>;

type PlainNotifications = {
  readonly [Kind in NotificationKind]?: {
    readonly name: MessageOf<Kind>["type"];
    readonly fields: Fields<Kind>;
    /** What the message says without Claude. */
    readonly added?: Partial<MessageOf<Kind>>;
  };
};

const text = nullish(isText);
const number = nullish(isNumber);
const flag = nullish(isFlag);

const task = { task_id: isText, run_id: text, tool_use_id: optional(isText) };

const isTaskUsage = looseObject<{
  total_tokens: number;
  tool_uses: number;
  duration_ms: number;
}>({ total_tokens: isNumber, tool_uses: isNumber, duration_ms: isNumber });

type ResourceLink = NonNullable<MessageOf<"system/task_notification">["resource_links"]>[number];

const isResourceLink = looseObject<ResourceLink>({
  uri: isText,
  name: text,
  title: text,
  mimeType: text,
});

function hookEvent<Phase extends "started" | "progress" | "response">(phase: Phase) {
  return {
    name: "hook_event",
    added: { phase },
    fields: {
      phase: oneOf(phase),
      hook_id: isText,
      hook_event: isText,
      hook_name: text,
      stdout: text,
      stderr: text,
      output: text,
      outcome: text,
      exit_code: number,
    },
  } as const;
}

const PLAIN_NOTIFICATIONS: PlainNotifications = {
  rate_limit_event: {
    name: "rate_limit",
    fields: {
      rate_limit_info: looseObject<MessageOf<"rate_limit_event">["rate_limit_info"]>({
        status: isText,
        rateLimitType: text,
        overageStatus: text,
        overageDisabledReason: text,
        limitScope: text,
        errorCode: text,
        resetsAt: number,
        utilization: number,
        overageResetsAt: number,
        surpassedThreshold: number,
        isUsingOverage: flag,
        overageInUse: flag,
        overageEnabled: flag,
        canUserPurchaseCredits: flag,
        hasChargeableSavedPaymentMethod: flag,
      }),
    },
  },
  "system/hook_started": hookEvent("started"),
  "system/hook_progress": hookEvent("progress"),
  "system/hook_response": hookEvent("response"),
  "system/thinking_tokens": {
    name: "thinking_tokens",
    fields: {
      estimated_tokens: isNumber,
      estimated_tokens_delta: isNumber,
      user_message_uuid: text,
    },
  },
  command_lifecycle: {
    name: "command_lifecycle",
    fields: { command_uuid: isText, state: isText, wakeup_source: text },
  },
  "system/background_tasks_changed": {
    name: "background_tasks",
    fields: {
      tasks: listOf(
        looseObject<MessageOf<"system/background_tasks_changed">["tasks"][number]>({
          task_id: isText,
          run_id: text,
          task_type: text,
          subagent_type: text,
          description: text,
          parent_task_id: text,
          ambient: flag,
        }),
      ),
    },
  },
  "system/task_started": {
    name: "task_started",
    fields: {
      ...task,
      is_backgrounded: optional(isFlag),
      parent_task_id: optional(isText),
      description: text,
      subagent_type: text,
      task_type: text,
      workflow_name: text,
      prompt: text,
      spawn_depth: number,
      skip_transcript: flag,
      ambient: flag,
    },
  },
  "system/task_progress": {
    name: "task_progress",
    fields: {
      ...task,
      usage: nullish(isTaskUsage),
      description: text,
      subagent_type: text,
      last_tool_name: text,
      summary: text,
    },
  },
  "system/task_notification": {
    name: "task_notification",
    fields: {
      ...task,
      status: isText,
      usage: nullish(isTaskUsage),
      resource_links: nullish(listOf(isResourceLink)),
      reason: text,
      output_file: text,
      summary: text,
      summary_is_report: flag,
      skip_transcript: flag,
      ambient: flag,
    },
  },
  "system/task_updated": {
    name: "task_updated",
    fields: {
      ...task,
      patch: looseObject<MessageOf<"system/task_updated">["patch"]>({
        is_backgrounded: optional(isFlag),
        status: text,
        description: text,
        error: text,
        end_time: number,
        total_paused_ms: number,
      }),
    },
  },
};

type Row = {
  readonly name: string;
  readonly added: object | undefined;
  readonly isPlain: Check<object>;
};

const ROWS: ReadonlyMap<string, Row> = new Map(
  Object.entries(PLAIN_NOTIFICATIONS).map(([kind, { name, added, fields }]) => [
    kind,
    { name, added, isPlain: looseObject<object>(fields) },
  ]),
);

/** The notification in a line that its schema would pass on as it is; undefined for any other line. */
export function plainNotification(
  kind: string,
  raw: Readonly<Record<string, unknown>>,
): Notification | undefined {
  const row = ROWS.get(kind);
  if (row === undefined) return undefined;
  const message = { ...row.added, ...notificationFields(row.name, raw) };
  if (!row.isPlain(message)) return undefined;
  const session_id = typeof raw["session_id"] === "string" ? raw["session_id"] : undefined;
  // The table pairs each kind with the checks of its message; the compiler cannot follow that.
  return { type: "notification", kind, message, session_id } as Notification;
}
