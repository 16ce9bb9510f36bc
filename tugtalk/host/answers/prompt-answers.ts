/** Schemas of open prompts: as in the state of a session, and with the names of other hosts. */
import { z } from "zod";
import { AskUserQuestionInput, PermissionSuggestion } from "../../src/protocol-types.ts";
import { anyObject } from "./any-object.ts";

const text = z.string();

const promptFields = {
  requestId: text,
  turnId: text.optional(),
  parentToolUseId: text.optional(),
  toolUseId: text.optional(),
};

const { questions } = AskUserQuestionInput.shape;

/** The fields of each kind of prompt. */
const KINDS = {
  permission: {
    toolName: text,
    input: anyObject,
    plan: text.optional(),
    displayName: text.optional(),
    description: text.optional(),
    decisionReason: text.optional(),
    blockedPath: text.optional(),
  },
  question: { toolName: text, questions, input: anyObject },
  elicitation: {
    serverName: text,
    message: text,
    url: text.optional(),
    requestedSchema: anyObject.optional(),
    propertyOrder: z.array(text).optional(),
  },
  dialog: { dialogKind: text, payload: anyObject },
} as const;

const suggestions = z.array(PermissionSuggestion);

function openPrompt<Kind extends string, Fields extends z.ZodRawShape>(kind: Kind, fields: Fields) {
  const createdAt = z.int().optional();
  return z.object({ kind: z.literal(kind), ...promptFields, createdAt, ...fields });
}

export const OpenPrompt = z
  .discriminatedUnion("kind", [
    openPrompt("permission", { ...KINDS.permission, permissionSuggestions: suggestions }),
    openPrompt("question", KINDS.question),
    openPrompt("elicitation", KINDS.elicitation),
    openPrompt("dialog", KINDS.dialog),
  ])
  .meta({ id: "OpenPrompt", description: "A prompt in the state of a session." });

function pendingPrompt<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  fields: Fields,
) {
  return z.object({
    type: z.literal(type),
    sessionId: text,
    stageId: text,
    request_id: text,
    createdAt: z.int(),
    ...promptFields,
    ...fields,
  });
}

export const PendingPrompt = z
  .discriminatedUnion("type", [
    pendingPrompt("approval", { ...KINDS.permission, suggestions }),
    pendingPrompt("question", KINDS.question),
    pendingPrompt("elicitation", KINDS.elicitation),
    pendingPrompt("dialog", KINDS.dialog),
  ])
  .meta({
    id: "PendingPrompt",
    description:
      "An open prompt of a session. `stageId` is `sessionId`, and `request_id` is `requestId`.",
  });
