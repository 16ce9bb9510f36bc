/**
 * A choice of the model that Claude has still to be told. Before 2.1.330 it counts from the next turn
 * on, and 2.1.197 writes it into the conversation beside the open turn, the rest of which is lost to
 * the conversation then. So an older Claude is told between turns. Protocol reference §2d.
 */

import { compareVersions } from "../base/versions.ts";
import type { ControlRequestBody } from "../control.ts";
import type { Run } from "../run/run.ts";

/** A model by its name; null is Claude's own choice. */
type Model = string | null;

/** The oldest measured CLI that can be told in a turn. */
const TOLD_IN_TURNS = "2.1.330";

/** How long Claude may take to answer, in ms. */
const ANSWER_MS = 30_000;

export class HeldModel {
  #held: { readonly run: Run; readonly model: Model } | undefined;

  /** Whether this Claude is told between turns only, and is in one. */
  mustWait(run: Run | undefined): run is Run {
    if (run === undefined || run.turns.isIdle) return false;
    const { claudeVersion } = run;
    return claudeVersion === undefined || compareVersions(claudeVersion, TOLD_IN_TURNS) < 0;
  }

  /** Keeps the newest choice for this Claude; with its process it is forgotten. */
  hold(run: Run, model: Model): void {
    this.#held = { run, model };
  }

  /** Claude is between turns: tells it what was kept for it. */
  release(run: Run, onRefused: (why: string) => void): void {
    const held = this.#held;
    this.#held = undefined;
    if (held?.run !== run) return;
    run.requests.ask({ subtype: "set_model", model: held.model }, ANSWER_MS, (end) => {
      if (end.kind === "timed_out") onRefused("no answer");
      if (end.kind === "answered" && end.answer.subtype === "error")
        onRefused(end.answer.error ?? "refused");
    });
  }
}

/** The model among the settings of an `apply_flag_settings`, and the request without it. */
export function splitModel(
  body: ControlRequestBody,
): { readonly model: Model; readonly rest: ControlRequestBody } | undefined {
  const { settings } = body;
  if (body.subtype !== "apply_flag_settings" || typeof settings !== "object") return undefined;
  const { model, ...others }: Readonly<Record<string, unknown>> = { ...settings };
  if (typeof model !== "string" && model !== null) return undefined;
  return { model, rest: { ...body, settings: others } };
}
