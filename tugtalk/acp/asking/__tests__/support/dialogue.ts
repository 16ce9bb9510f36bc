/** The questions of one request to a person, answered in turn by a client. */
import { expect } from "bun:test";
import type { Fields } from "../../../../src/base/json.ts";
import { clientFeatures } from "../../../client-features.ts";
import { type ClaudeRequest, firstStep } from "../../first-step.ts";
import type { ClientRequest, Reply, Step } from "../../step.ts";

export const audience = { sessionId: "s", dir: "/work/project" };
export const PLAIN = clientFeatures({});
export const FORMS = clientFeatures({ elicitation: { form: {}, url: {} } });

/** Answers the requests in turn; every request, and the answer to Claude without its ids. */
export function walk(asked: ClaudeRequest, features: typeof PLAIN, ...replies: readonly Reply[]) {
  const requests: ClientRequest[] = [];
  let step: Step = firstStep({ ...audience, features }, asked);
  for (const reply of replies) {
    if (!("request" in step)) throw new Error("nothing is asked any more");
    requests.push(step.request);
    step = step.next(reply);
  }
  if ("request" in step) return { requests: [...requests, step.request], answer: undefined };
  const { id, request_id, ...answer } = step.answer;
  expect([id, request_id]).toEqual(["r", "r"]);
  return { requests, answer: JSON.parse(JSON.stringify(answer)) };
}

export const choose = (optionId: string): Reply => ({
  result: { outcome: { outcome: "selected", optionId } },
});
export const fill = (content: Fields): Reply => ({ result: { action: "accept", content } });
export const act = (action: string): Reply => ({ result: { action } });

/** The options of the last request, as their ids and names. */
export function optionsOf(requests: readonly ClientRequest[]) {
  const last = requests.at(-1);
  if (last?.method !== "session/request_permission") throw new Error("no options");
  return last.params.options.map(({ optionId, name }) => `${optionId}: ${name}`);
}

/** The reasons of refusals. */
export const DISMISSED = "The user dismissed the request without an answer, so it was refused.";
export const FAILED = "The client could not show the request to the user, so it was refused.";
export const INVALID = "The client gave no valid answer, so the request was refused.";
export const NOT_OFFERED =
  "The client chose an option that was not offered, so the request was refused.";
