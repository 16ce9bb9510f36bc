/** Requests of Claude to a person, checked without a schema: their schemas return such a request as it is. */
import {
  isFlag,
  isObject,
  isText,
  listOf,
  looseObject,
  nullish,
  oneOf,
  optional,
} from "../base/plain-value.ts";
import type { AskUserQuestionInput, PermissionRequest } from "../protocol-types.ts";

export const isPlainPermission = looseObject<PermissionRequest>({
  subtype: oneOf("can_use_tool"),
  tool_name: isText,
  input: isObject,
  tool_use_id: optional(isText),
  agent_id: optional(isText),
  permission_suggestions: nullish(listOf(looseObject<{ type: string }>({ type: isText }))),
  blocked_path: nullish(isText),
  decision_reason: nullish(isText),
});

type Question = AskUserQuestionInput["questions"][number];
type Option = NonNullable<Question["options"]>[number];

const isOption = looseObject<Option>({
  label: isText,
  description: optional(isText),
  preview: nullish(isText),
});

const isQuestion = looseObject<Question>({
  question: isText,
  header: optional(isText),
  multiSelect: optional(isFlag),
  options: optional(listOf(isOption)),
});

export const isPlainQuestions = looseObject<AskUserQuestionInput>({
  questions: listOf(isQuestion),
});
