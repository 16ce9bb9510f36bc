/** Notices to a person in the transcript, beside the conversation itself. */

import { present } from "../claude-value.ts";
import type { ReducedSession } from "../reduced-session.ts";
import type { Notice } from "../transcript-models.ts";
import { handler, type Scope } from "./handler.ts";
import { replaced } from "./lists.ts";
import { flag, nullable, nullish, number, objectWith, optional, text } from "./message-fields.ts";
import { retryIndex } from "./retry-notices.ts";
import { append, changeList, listFor, withNewKey } from "./transcript.ts";

/** Appends a notice to the list of its scope. */
export function addNotice(state: ReducedSession, scope: Scope, notice: Notice): ReducedSession {
  const [opened, list] = listFor(state, scope);
  const [keyed, key] = withNewKey(opened);
  return append(keyed, list, { kind: "notice", key, notice });
}

const RATE_LIMIT = {
  status: text,
  rateLimitType: nullish(text),
  resetsAt: nullish(number),
  utilization: nullish(number),
};

const REFUSAL = {
  original_model: text,
  content: nullish(text),
  api_refusal_explanation: nullish(text),
};

export const NOTICE_HANDLERS = [
  handler(
    "api_retry",
    {
      attempt: number,
      max_retries: number,
      retry_delay_ms: number,
      error_status: nullable(number),
      error: text,
    },
    (state, message) => {
      const { attempt, max_retries: maxRetries, retry_delay_ms: delayMs, error } = message;
      const errorStatus = message.error_status;
      const notice: Notice = { kind: "retry", attempt, maxRetries, delayMs, errorStatus, error };
      const [opened, list] = listFor(state, message);
      const [keyed, key] = withNewKey(opened);
      return changeList(keyed, list, (items) => {
        const index = retryIndex(items);
        const known = items[index];
        return replaced(items, index === -1 ? items.length : index, {
          kind: "notice",
          key: known?.key ?? key,
          notice,
        });
      });
    },
  ),
  handler("rate_limit", { rate_limit_info: objectWith(RATE_LIMIT) }, (state, message) => {
    const info = message.rate_limit_info;
    const known: ReducedSession = { ...state, rateLimit: info };
    // Sent with nearly every turn of a subscription, also while nothing is limited.
    if (info.status === "allowed" || info.status === state.rateLimit?.status) return known;
    const { status, rateLimitType: limit, resetsAt, utilization } = info;
    return addNotice(known, message, {
      kind: "rate_limit",
      status,
      ...present({ limit, resetsAt, utilization }),
    });
  }),
  handler(
    "compact_boundary",
    { trigger: optional(text), pre_tokens: optional(number), post_tokens: optional(number) },
    (state, message) => {
      const { trigger, pre_tokens: preTokens, post_tokens: postTokens } = message;
      const notice = present({ trigger, preTokens, postTokens });
      return addNotice(state, message, { kind: "compaction", ...notice });
    },
  ),
  // A success has its boundary.
  handler("compaction_result", { result: text, error: optional(text) }, (state, message) => {
    if (message.result === "success") return state;
    const error = message.error ?? message.result;
    return addNotice(state, message, { kind: "compaction", error });
  }),
  handler(
    "model_fallback",
    { original_model: text, fallback_model: text, content: nullish(text), trigger: nullish(text) },
    (state, message) => addFallback(state, message, message.trigger),
  ),
  handler("model_refusal_fallback", { ...REFUSAL, fallback_model: text }, (state, message) =>
    addFallback(state, message, message.api_refusal_explanation),
  ),
  handler("model_refusal_no_fallback", REFUSAL, (state, message) =>
    addFallback(state, message, message.api_refusal_explanation),
  ),
  handler(
    "error",
    { code: text, message: text, recoverable: flag, reason: optional(text) },
    (state, message) => {
      const { code, message: said, recoverable, reason } = message;
      const notice = { kind: "error", code, message: said, recoverable } as const;
      return addNotice(state, message, { ...notice, ...present({ reason }) });
    },
  ),
  handler("host_error", { error: text, code: optional(text) }, (state, message) => {
    const { code = "host_error", error: said } = message;
    return addNotice(state, {}, { kind: "error", code, message: said, recoverable: true });
  }),
] as const;

type Fallback = Scope & {
  readonly original_model: string;
  readonly fallback_model?: string | undefined;
  readonly content?: string | null | undefined;
};

/** `cause`: the reason where Claude does not put it into words. */
function addFallback(
  state: ReducedSession,
  message: Fallback,
  cause: string | null | undefined,
): ReducedSession {
  const { original_model: from, fallback_model: to, content } = message;
  const known = present({ to, reason: content ?? cause });
  return addNotice(state, message, { kind: "model_fallback", from, ...known });
}
