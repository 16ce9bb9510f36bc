/** Turns that the usage limit of a subscription refuses, as 2.1.330 prints them. */
import type { Fields } from "../src/base/json.ts";
import { buildAssistant } from "./claude-lines.ts";
import recorded from "./recorded-lines.json";
import { newApiId } from "./scenario-ids.ts";
import type { SimulatorState, UsageLimit } from "./simulator-state.ts";

/**
 * The limit, written as `<seconds since 1970>` and optionally `late`; undefined for an absent text. Throws
 * for another form.
 */
export function parseLimit(text: string | undefined): UsageLimit | undefined {
  if (text === undefined || text === "") return undefined;
  const [, seconds, late] = /^(\d+)( late)?$/.exec(text) ?? [];
  if (seconds !== undefined) return { resetsAt: Number(seconds), isLate: late !== undefined };
  throw new Error(`TUGTALK_SIM_LIMIT is a time in seconds since 1970; got ${text}`);
}

/** The limit as long as it holds. */
export function limitNow({ options: { limit } }: SimulatorState): UsageLimit | undefined {
  return limit !== undefined && Date.now() < limit.resetsAt * 1000 ? limit : undefined;
}

/** The lines in the place of an answer. The event of the reached limit comes only once. */
export function refusal(state: SimulatorState, { resetsAt }: UsageLimit): readonly Fields[] {
  const { session } = state;
  const ids = { session_id: session.sessionId, uuid: session.newId() };
  const info = { status: "rejected", resetsAt, rateLimitType: "five_hour", isUsingOverage: false };
  const event = { type: "rate_limit_event", rate_limit_info: info, ...ids };
  const isTold = state.isLimitTold;
  state.isLimitTold = true;
  const message = {
    ...recorded.message,
    id: newApiId("msg", session.newId),
    model: "<synthetic>",
    stop_reason: "stop_sequence",
  };
  const said = buildAssistant(session, message, { type: "text", text: REFUSED.result });
  return [...(isTold ? [] : [event]), { ...said, error: "rate_limit", ...ERROR }];
}

/** The fields of the result of a refused turn. */
export const REFUSED = {
  is_error: true,
  stop_reason: "stop_sequence",
  api_error_status: 429,
  terminal_reason: "api_error",
  result: "You have reached your session limit",
};

const ERROR = {
  is_api_error_message: true,
  api_error_status: 429,
  api_error_type: "rate_limit_error",
};
