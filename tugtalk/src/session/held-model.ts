/**
 * A model choice that is held until the turn ends. Before 2.1.330 a choice has its effect in the next
 * turn only, and 2.1.197 writes it beside the open turn, so that the conversation loses the rest of
 * that turn. Protocol reference §2d.
 */

import { isAtLeast } from "../base/versions.ts";
import type { ControlRequestBody } from "../control.ts";
import type { Run } from "../run/run.ts";

/** A model by its name; null is Claude's own choice. */
type Model = string | null;

/** The oldest measured CLI that accepts a choice in a turn. */
const ACCEPTED_IN_TURNS = "2.1.330";

/** Timeout of the request, in ms. */
const TIMEOUT_MS = 30_000;

export class HeldModel {
  #held: { readonly run: Run; readonly model: Model } | undefined;

  /** Whether a choice must be held: an older Claude is in a turn. */
  mustWait(run: Run | undefined): run is Run {
    if (run === undefined || run.turns.isIdle) return false;
    return !isAtLeast(run.claudeVersion, ACCEPTED_IN_TURNS);
  }

  /** Holds the newest choice for this process. */
  hold(run: Run, model: Model): void {
    this.#held = { run, model };
  }

  /** Sends the held choice. Call it between turns. */
  release(run: Run, onRefused: (why: string) => void): void {
    const held = this.#held;
    this.#held = undefined;
    if (held?.run !== run) return;
    run.requests.ask({ subtype: "set_model", model: held.model }, TIMEOUT_MS, (end) => {
      if (end.kind === "timed_out") onRefused("no answer");
      if (end.kind === "answered" && end.answer.subtype === "error")
        onRefused(end.answer.error ?? "refused");
    });
  }
}

/** Takes the model out of the settings of an `apply_flag_settings`. Undefined where there is none. */
export function splitModel(
  body: ControlRequestBody,
): { readonly model: Model; readonly rest: ControlRequestBody } | undefined {
  const { settings } = body;
  if (body.subtype !== "apply_flag_settings" || typeof settings !== "object") return undefined;
  const { model, ...others }: Readonly<Record<string, unknown>> = { ...settings };
  if (typeof model !== "string" && model !== null) return undefined;
  return { model, rest: { ...body, settings: others } };
}
