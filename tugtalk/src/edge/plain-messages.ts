/**
 * The messages that hosts send most, checked without a schema: their schemas return such a message as it
 * is. Any other one is not plain, valid or not, and `InboundMessage` reads it.
 */
import {
  byType,
  type Check,
  type Checks,
  either,
  exactObject,
  integer,
  isAny,
  isFlag,
  isLowerUuid,
  isName,
  isNull,
  isObject,
  isText,
  listOf,
  looseObject,
  oneOf,
  optional,
  recordOf,
  refined,
} from "../base/plain-value.ts";
import { isChannelName } from "../messages/envelope.ts";
import { PERMISSION_MODES } from "../messages/permission-modes.ts";
import type { SessionChoice } from "../messages/protocol-init.ts";
import type { Attachment } from "../messages/user-messages.ts";
import type { PermissionSuggestion } from "../protocol-types.ts";
import type { InboundMessage } from "../types.ts";
import { isNulFree, isPlainOptions } from "./plain-options.ts";

/** A text that can be an argument of Claude. */
const isArgument = refined(isName, isNulFree);

const isPermissionMode = oneOf(...PERMISSION_MODES);

type ChoiceOf<Mode> = Extract<SessionChoice, { mode: Mode }>;

const isId = optional(isLowerUuid);

const isSessionChoice: Check<SessionChoice> = either(
  either(
    exactObject<ChoiceOf<"new">>({
      mode: oneOf("new"),
      session_id: isId,
      at_message: (value) => value === undefined,
    }),
    exactObject<ChoiceOf<"continue">>({ mode: oneOf("continue"), at_message: isId }),
  ),
  either(
    exactObject<ChoiceOf<"resume">>({ mode: oneOf("resume"), session_id: isId, at_message: isId }),
    exactObject<ChoiceOf<"fork">>({ mode: oneOf("fork"), session_id: isId, at_message: isId }),
  ),
);

const isAttachment = exactObject<Attachment>({
  filename: isText,
  content: isText,
  media_type: isText,
});

type KnownSuggestion = Extract<PermissionSuggestion, { destination: string }>;
type Rule = Extract<KnownSuggestion, { type: "addRules" }>["rules"][number];

const rules = {
  destination: isText,
  behavior: oneOf("allow", "deny", "ask"),
  rules: listOf(looseObject<Rule>({ toolName: isText, ruleContent: optional(isText) })),
};
const directories = { destination: isText, directories: listOf(isText) };

const isSuggestion = byType<KnownSuggestion>({
  addRules: rules,
  replaceRules: rules,
  removeRules: rules,
  setMode: { destination: isText, mode: isText },
  addDirectories: directories,
  removeDirectories: directories,
});

const isSuggestions = refined(listOf(isSuggestion), isNulFree);

/** The fields of every message. */
const envelope = { id: optional(isText), channel: optional(isChannelName) };

type PlainMessages = {
  readonly [Type in InboundMessage["type"]]?: Checks<
    Extract<InboundMessage, { type: Type }>,
    "type" | "id" | "channel"
  >;
};

/** The fields of each message, but for those of every one. */
const PLAIN_MESSAGES: PlainMessages = {
  protocol_init: {
    version: integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    session: optional(isSessionChoice),
    model: optional(isArgument),
    permission_mode: optional(isPermissionMode),
    dir: optional(isArgument),
    options: optional(isPlainOptions),
  },
  user_message: {
    text: isText,
    attachments: optional(listOf(isAttachment)),
    message_id: optional(isLowerUuid),
    delivery: optional(oneOf("queue", "steer", "replace")),
  },
  tool_approval: {
    request_id: isText,
    decision: oneOf("allow", "deny"),
    updatedInput: optional(isObject),
    updatedPermissions: optional(isSuggestions),
    message: optional(isText),
    interrupt: optional(isFlag),
  },
  question_answer: {
    request_id: isText,
    answers: recordOf(either(isText, listOf(isText))),
    annotations: optional(isObject),
    response: optional(isText),
  },
  elicitation_answer: {
    request_id: isText,
    action: oneOf("accept", "decline", "cancel"),
    content: optional(isObject),
  },
  dialog_answer: {
    request_id: isText,
    behavior: oneOf("completed", "cancelled"),
    result: isAny,
  },
  interrupt: { cancel_queued: optional(isFlag), include_background: optional(isFlag) },
  permission_mode: { mode: isPermissionMode },
  model_change: { model: either(isArgument, isNull) },
  stop_task: { task_id: isName },
  cancel_message: { message_id: isLowerUuid },
  shutdown: { drain: optional(isFlag) },
};

const CHECKS: ReadonlyMap<string, Check<object>> = new Map(
  Object.entries<Checks<object>>(PLAIN_MESSAGES).map(([type, fields]) => [
    type,
    exactObject({ type: isText, ...envelope, ...fields }),
  ]),
);

/** Whether an object is a host message that its schema returns as it is. */
export function isPlainMessage(type: string, value: unknown): value is InboundMessage {
  return CHECKS.get(type)?.(value) === true;
}
