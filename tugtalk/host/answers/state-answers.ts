/** Schemas of the state of a session, as `reduceSession` of `tugtalk/client` keeps it. */
import { z } from "zod";
import { anyObject } from "./any-object.ts";
import { OpenPrompt } from "./prompt-answers.ts";
import { Cursor, SessionState } from "./session-answers.ts";
import { PromptEnd, TranscriptEntry } from "./transcript-answers.ts";

const text = z.string();
const integer = z.int();
const number = z.number();

const QueuedInState = z
  .object({
    messageId: text,
    text: text.optional(),
    queuedAt: integer.optional(),
    files: z.array(text).optional(),
    delivery: z.literal("replace").optional(),
    isSent: z.boolean().optional(),
    sentAt: integer.optional(),
    afterLimit: z.object({ again: text.optional() }).optional(),
  })
  .meta({ id: "QueuedInState", description: "A message of the state that has not started." });

const BackgroundTask = z.object({
  taskId: text,
  toolUseId: text.optional(),
  parentTaskId: text.optional(),
  type: text.optional(),
  subagentType: text.optional(),
  description: text.optional(),
  status: text,
  isBackgrounded: z.boolean().optional(),
  lastToolName: text.optional(),
  summary: text.optional(),
  totalTokens: number.optional(),
  toolUses: number.optional(),
  durationMs: number.optional(),
});

const TaskItem = z.object({
  id: text,
  subject: text,
  description: text.optional(),
  activeForm: text.optional(),
  status: text,
  owner: text.optional(),
  blockedBy: z.array(text),
});

/** A message of the bridge, which `schema.json` describes. */
const ofBridge = (type: string) =>
  anyObject.optional().describe(`As in \`${type}\` of the bridge.`);

const SessionStateOf = z
  .object({
    applied: z.object({
      stream: text.optional(),
      seq: integer,
      others: z.record(text, integer),
      unacknowledged: z.array(anyObject),
    }),
    instanceId: text.optional(),
    sessionId: text.optional(),
    title: text.optional(),
    status: SessionState,
    before: text.optional(),
    entries: z.array(TranscriptEntry).describe("Finished ones, oldest first."),
    openEntries: z.array(TranscriptEntry).describe("The newest ones, oldest first."),
    prompts: z.array(OpenPrompt),
    closedPrompts: z.array(PromptEnd),
    queue: z.array(QueuedInState),
    returned: z.array(QueuedInState),
    isQueueHeld: z.boolean(),
    model: text.nullable().optional(),
    permissionMode: text.optional(),
    metadata: ofBridge("system_metadata"),
    capabilities: ofBridge("session_capabilities"),
    controlResponses: z.record(text, anyObject),
    contextUsage: anyObject.optional(),
    context: ofBridge("message_complete"),
    cost: z.object({ totalCostUsd: number, latest: ofBridge("cost_update") }),
    taskList: z.object({ tasks: z.array(TaskItem), activeTaskId: text.optional() }),
    mcpServers: z.array(z.object({ name: text, status: text, tools: z.array(text) })),
    backgroundTasks: z.array(BackgroundTask),
    pastSessions: z.array(anyObject),
    promptSuggestion: text.optional(),
    activeGoal: z.unknown().optional(),
    rateLimit: ofBridge("rate_limit"),
    lastKey: integer,
  })
  .meta({
    id: "SessionState",
    description: "The state that `reduceSession` of `tugtalk/client` keeps of a session.",
  });

export const Snapshot = z.object({
  cursor: Cursor,
  state: SessionStateOf,
  before: text.optional().describe("The cursor of older turns."),
});

export const EntryPage = z.object({
  entries: z.array(TranscriptEntry),
  before: text.optional().describe("The cursor of older turns."),
});
