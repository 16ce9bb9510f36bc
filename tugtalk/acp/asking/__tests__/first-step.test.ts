/** Every way through the requests of each kind. */
import { expect, test } from "bun:test";
import { askedBy, PermissionManager } from "../../../src/permissions.ts";
import type { PermissionRequest } from "../../../src/protocol-types.ts";
import { firstStep } from "../first-step.ts";
import type { ClientRequest, Reply, Step } from "../step.ts";
import { bash, both, form, page, plan, questions } from "./support/asked.ts";
import { act, audience, choose, FORMS, fill, PLAIN } from "./support/dialogue.ts";

/** Every way through a dialogue, as far as six requests. */
function* answersTo(
  step: Step,
  depth = 6,
): Generator<Extract<Step, { answer: unknown }>["answer"]> {
  if ("answer" in step) yield step.answer;
  if (!("request" in step) || depth === 0) return;
  for (const reply of repliesTo(step.request)) yield* answersTo(step.next(reply), depth - 1);
}

function repliesTo({ method, params }: ClientRequest): readonly Reply[] {
  const wrong: readonly Reply[] = ["failed", { result: null }, choose("?"), act("cancel")];
  if (method === "session/request_permission")
    return [...wrong, ...params.options.map(({ optionId }) => choose(optionId))];
  const contents = [{}, { reason: "no" }, { answer_1: "None", answer_2: ["Lint"], other_1: "x" }];
  return [...wrong, act("decline"), ...contents.map(fill)];
}

test("whatever way a dialogue takes, the bridge takes its answer", () => {
  for (const asked of [bash, plan, both, questions({ header: "?" }), form(["urgent"]), page])
    for (const features of [PLAIN, FORMS]) {
      const prompts = new PermissionManager();
      const isForm = asked.type === "elicitation_request";
      const content = isForm
        ? ({ kind: "elicitation" } as const)
        : askedBy(asked as unknown as PermissionRequest);
      prompts.open("r", content, { candidates: [], turnId: undefined });
      const answers = [...answersTo(firstStep({ ...audience, features }, asked))];
      expect(answers.length).toBeGreaterThan(0);
      for (const answer of answers) expect(prompts.decide(answer)).not.toHaveProperty("problem");
    }
});
