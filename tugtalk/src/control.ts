/**
 * Control messages to Claude: their wire form (`format…`) and how they are written (`send…`).
 * Which request an answer belongs to is `pending.ts`'s business. Protocol reference §2b–2f, §5b; D05.
 */
import type { AskUserQuestionInput, PermissionSuggestion } from "./protocol-types.ts";

/** Where lines for Claude go. */
export type LineSink = { readonly writeLine: (line: string) => void };

/** What Claude does after a refusal is decided by these words: they are the CLI's own. */
export const DEFAULT_DENIAL =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a " +
  "file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the " +
  "user to tell you how to proceed.";

type Input = Readonly<Record<string, unknown>>;

/** What can be asked of Claude; further subtypes exist. */
export type ControlRequestBody = { readonly subtype: string; readonly [field: string]: unknown };

/** An answer to a request of Claude's. */
export type ControlAnswer =
  | { readonly subtype: "success"; readonly request_id: string; readonly response: Input }
  | {
      readonly subtype: "error";
      readonly request_id: string;
      readonly error: string;
      readonly error_code?: string;
    };

/** A fresh id for a request of ours. Never repeats, also across processes of one session. */
export function generateRequestId(newId: () => string = () => crypto.randomUUID()): string {
  return `tugtalk-${newId()}`;
}

/** Writes one request. */
export function sendControlRequest(
  stdin: LineSink,
  requestId: string,
  request: ControlRequestBody,
): void {
  stdin.writeLine(JSON.stringify({ type: "control_request", request_id: requestId, request }));
}

/** Writes one answer. */
export function sendControlResponse(stdin: LineSink, response: ControlAnswer): void {
  stdin.writeLine(JSON.stringify({ type: "control_response", response }));
}

/** The tool may run with this input, which must be whole: old CLIs refuse an answer without (PN-1). */
export function formatPermissionAllow(
  requestId: string,
  updatedInput: Input,
  updatedPermissions?: readonly PermissionSuggestion[],
): ControlAnswer {
  return formatAnswer(requestId, {
    behavior: "allow",
    updatedInput,
    ...(updatedPermissions !== undefined && { updatedPermissions }),
  });
}

/** The tool may not run; `message` reaches the model. `interrupt` ends the turn as well. */
export function formatPermissionDeny(
  requestId: string,
  message: string = DEFAULT_DENIAL,
  interrupt?: boolean,
): ControlAnswer {
  return formatAnswer(requestId, {
    behavior: "deny",
    message,
    ...(interrupt !== undefined && { interrupt }),
  });
}

/** Answers by question text; further keys of a question's answer are Claude's (`annotations`, `response`). */
export type QuestionAnswers = {
  readonly answers: Readonly<Record<string, string | readonly string[]>>;
  readonly annotations?: Input | undefined;
  readonly response?: string | undefined;
};

/**
 * The answers beside the original questions. A multi-select answer is an array of labels: labels may
 * hold commas, and newer CLIs take `"Red,Blue"` for free text (§5d).
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
  return formatAnswer(requestId, {
    behavior: "allow",
    updatedInput: {
      ...originalInput,
      answers: Object.fromEntries(formatted),
      ...(annotations !== undefined && { annotations }),
      ...(response !== undefined && { response }),
    },
  });
}

/** We cannot do what Claude asks; it goes on without. */
export function formatRefusal(
  requestId: string,
  error: string,
  errorCode = "unsupported_request",
): ControlAnswer {
  return { subtype: "error", request_id: requestId, error, error_code: errorCode };
}

/** Any other answer, as Claude expects it. */
export function formatAnswer(requestId: string, response: Input): ControlAnswer {
  return { subtype: "success", request_id: requestId, response };
}
