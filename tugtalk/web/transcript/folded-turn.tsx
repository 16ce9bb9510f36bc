/** A finished turn as one line. */
import { useRef } from "preact/hooks";
import type { Turn } from "../../client/transcript-models.ts";
import { formatCount } from "../elements/format-amount.ts";
import { Icon } from "../elements/icon.tsx";
import type { Folds } from "../store/folds.ts";
import { toggleFold, useFoldFocus } from "./fold-focus.ts";
import { amountsOf, answerOf, callsOf, outcomeOf, questionOf } from "./turn-end.ts";

type FoldedTurnProps = { readonly turn: Turn; readonly folds: Folds };

export function FoldedTurn({ turn, folds }: FoldedTurnProps) {
  const button = useRef<HTMLButtonElement>(null);
  useFoldFocus(turn.key, button);
  return (
    <section class="entry folded" data-key={turn.key}>
      <button
        ref={button}
        type="button"
        class="folded-turn quiet"
        aria-expanded="false"
        title="Expand this turn"
        onClick={() => toggleFold(folds, turn.key)}
      >
        <Icon name="chevron-right" />
        <span class="grow truncate" dir="auto">
          {questionOf(turn) ?? answerOf(turn)}
        </span>
        <span class="amounts numeric hint">{factsOf(turn).join(" · ")}</span>
      </button>
    </section>
  );
}

function factsOf(turn: Turn): readonly string[] {
  if (turn.isForgotten === true) return ["forgotten by Claude"];
  const calls = callsOf(turn);
  return [
    ...(calls === 0 ? [] : [formatCount(calls, "tool call")]),
    ...amountsOf(turn).slice(0, 2),
    ...[outcomeOf(turn)].filter((outcome) => outcome !== undefined),
  ];
}
