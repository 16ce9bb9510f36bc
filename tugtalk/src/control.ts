/** Formats (`format…`) and writes (`send…`) control messages to Claude. Protocol reference §2b–2f, §5b. */
import { definedFields } from "./messages/envelope.ts";
import type { AskUserQuestionInput, PermissionSuggestion } from "./protocol-types.ts";

export type LineSink = { readonly writeLine: (line: string) => void };

/** The CLI's own text, which decides what Claude does after a denial. */
export const DEFAULT_DENIAL =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a " +
  "file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the " +
  "user to tell you how to proceed.";

type Input = Readonly<Record<string, unknown>>;

export type ControlRequestBody = { readonly subtype: string; readonly [field: string]: unknown };

/** An answer to a request of Claude. */
export type ControlAnswer =
  | { readonly subtype: "success"; readonly request_id: string; readonly response: Input }
  | {
      readonly subtype: "error";
      readonly request_id: string;
      readonly error: string;
      readonly error_code?: string;
    };

/** A request id that is unique across all processes of a session. */
export function generateRequestId(newId: () => string = () => crypto.randomUUID()): string {
  return `tugtalk-${newId()}`;
}

export function sendControlRequest(
  stdin: LineSink,
  requestId: string,
  request: ControlRequestBody,
): void {
  stdin.writeLine(JSON.stringify({ type: "control_request", request_id: requestId, request }));
}

export function sendControlResponse(stdin: LineSink, response: ControlAnswer): void {
  stdin.writeLine(JSON.stringify({ type: "control_response", response }));
}

/** Allows a tool with this complete input: old CLIs refuse an answer without one. */
export function formatPermissionAllow(
  requestId: string,
  updatedInput: Input,
  updatedPermissions?: readonly PermissionSuggestion[],
): ControlAnswer {
  const fields = definedFields({ behavior: "allow", updatedInput, updatedPermissions });
  return formatAnswer(requestId, fields);
}

/** Denies a tool. The model reads `message`; `interrupt` ends the turn too. */
export function formatPermissionDeny(
  requestId: string,
  message: string = DEFAULT_DENIAL,
  interrupt?: boolean,
): ControlAnswer {
  return formatAnswer(requestId, definedFields({ behavior: "deny", message, interrupt }));
}

/** Answers by question text. `annotations` and `response` are passed through. */
export type QuestionAnswers = {
  readonly answers: Readonly<Record<string, string | readonly string[]>>;
  readonly annotations?: Input | undefined;
  readonly response?: string | undefined;
};

/**
 * Adds the answers to the original questions. A multi-select answer is an array of labels, since newer
 * CLIs take `"Red,Blue"` for free text (§5d).
 */
export function formatQuestionAnswer(
  requestId: string,
  originalInput: AskUserQuestionInput,
  { answers, annotations, response }: QuestionAnswers,
): ControlAnswer {
  const isMulti = new Map(
    originalInput.questions.map((asked) => [asked.question, asked.multiSelect === true]),
  );
  const formatted = Object.entries(answers).map(([question, answer]) => [
    question,
    isMulti.get(question) === true && typeof answer === "string" ? [answer] : answer,
  ]);
  const added = {
    answers: Object.fromEntries(formatted),
    ...definedFields({ annotations, response }),
  };
  return formatPermissionAllow(requestId, { ...originalInput, ...added });
}

/** Refuses a request of Claude. */
export function formatRefusal(
  requestId: string,
  error: string,
  errorCode = "unsupported_request",
): ControlAnswer {
  return { subtype: "error", request_id: requestId, error, error_code: errorCode };
}

/** Any successful answer. */
export function formatAnswer(requestId: string, response: Input): ControlAnswer {
  return { subtype: "success", request_id: requestId, response };
}
