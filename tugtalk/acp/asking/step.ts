/**
 * The requests to the client for one prompt of Claude, one after the other, up to the one answer that Claude
 * gets. A wrong answer of the client is a refusal that says so. Pure.
 */
import type {
  CreateElicitationRequest,
  PermissionOption,
  RequestPermissionRequest,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import type { AnswerMessage } from "../../client/answers.ts";
import { type Fields, fieldsOf, isJsonObject } from "../../src/base/json.ts";
import type { ClientFeatures } from "../client-features.ts";

/** Who is asked. */
export type Audience = {
  readonly sessionId: string;
  /** The folder of the session. */
  readonly dir: string;
  readonly features: ClientFeatures;
};

export type ClientRequest =
  | { readonly method: "session/request_permission"; readonly params: RequestPermissionRequest }
  | { readonly method: "elicitation/create"; readonly params: CreateElicitationRequest };

/** The client's answer to a request; no result where it answered with an error. */
export type Reply = { readonly result: unknown } | "failed";

export type Step =
  | { readonly request: ClientRequest; readonly next: (reply: Reply) => Step }
  | { readonly answer: AnswerMessage };

/** The step where there is no answer to go on with; `why` is a sentence for the model. */
export type Refuse = (why: string) => Step;

/** An option, and the step that follows it. */
export type Choice = PermissionOption & { readonly next: () => Step };

/** Why a request came to nothing. */
export const WHY = {
  dismissed: "The user dismissed the request without an answer, so it was refused.",
  failed: "The client could not show the request to the user, so it was refused.",
  invalid: "The client gave no valid answer, so the request was refused.",
  notOffered: "The client chose an option that was not offered, so the request was refused.",
} as const;

/** The call that options are about. */
export type Subject = { readonly sessionId: string; readonly toolCall: ToolCallUpdate };

/** Offers options; each has its own way on. */
export function choiceStep(
  { sessionId, toolCall }: Subject,
  choices: readonly Choice[],
  refuse: Refuse,
): Step {
  const options = choices.map(({ next: _next, ...option }) => option);
  return {
    request: { method: "session/request_permission", params: { sessionId, toolCall, options } },
    next: (reply) => {
      if (reply === "failed") return refuse(WHY.failed);
      const { outcome, optionId } = fieldsOf(fieldsOf(reply.result)["outcome"]);
      if (outcome === "cancelled") return refuse(WHY.dismissed);
      if (outcome !== "selected" || typeof optionId !== "string") return refuse(WHY.invalid);
      const chosen = choices.find((choice) => choice.optionId === optionId);
      return chosen === undefined ? refuse(WHY.notOffered) : chosen.next();
    },
  };
}

export type FormEnds = {
  readonly accept: (content: Fields) => Step;
  readonly decline: () => Step;
  readonly refuse: Refuse;
};

/** Shows a form, or names a page to visit. */
export function formStep(params: CreateElicitationRequest, ends: FormEnds): Step {
  return {
    request: { method: "elicitation/create", params },
    next: (reply) => {
      if (reply === "failed") return ends.refuse(WHY.failed);
      const { action, content } = fieldsOf(reply.result);
      if (action === "decline") return ends.decline();
      if (action === "cancel") return ends.refuse(WHY.dismissed);
      const isAccepted = action === "accept" && (content == null || isJsonObject(content));
      return isAccepted ? ends.accept(fieldsOf(content)) : ends.refuse(WHY.invalid);
    },
  };
}

/** Values to choose from. */
export type Options = {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** Undefined: exactly one. */
  readonly several?: { readonly min?: number | undefined; readonly max?: number | undefined };
};

export type PickEnds = {
  readonly picked: (values: readonly string[]) => Step;
  /** Offered beside the values. */
  readonly others: readonly Choice[];
  readonly refuse: Refuse;
};

/** Offers values as options: one of them, or each as a switch, until the person is done. */
export function pickStep(
  subject: Subject,
  { options, several }: Options,
  ends: PickEnds,
  chosen: readonly string[] = [],
): Step {
  const kind = "allow_once";
  const offered = options.map(({ value, label }, index): Choice => {
    const optionId = `option-${index}`;
    if (several === undefined)
      return { optionId, name: label, kind, next: () => ends.picked([value]) };
    const after = options.map((option) => option.value).filter(isSwitched(chosen, value));
    const name = `${chosen.includes(value) ? "☑" : "☐"} ${label}`;
    const next = () => pickStep(subject, { options, several }, ends, after);
    return { optionId, name, kind, next };
  });
  const { min = 0, max = options.length } = several ?? {};
  const isDone = several !== undefined && chosen.length >= min && chosen.length <= max;
  const done: Choice = {
    ...{ optionId: "done", name: `Done (${chosen.length} chosen)`, kind },
    next: () => ends.picked(chosen),
  };
  const choices = [...offered, ...(isDone ? [done] : []), ...ends.others];
  return choiceStep(subject, choices, ends.refuse);
}

/** Which values are chosen after this one was switched. */
function isSwitched(chosen: readonly string[], value: string) {
  return (one: string) => chosen.includes(one) !== (one === value);
}
