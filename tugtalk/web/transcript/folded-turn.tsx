/** A finished turn as one line. */
import { useRef } from "preact/hooks";
import type { Turn } from "../../src/messages/transcript-models.ts";
import { formatCount } from "../elements/format-amount.ts";
import { Icon } from "../elements/icon.tsx";
import type { Folds } from "../store/folds.ts";
import { toggleFold, useFoldFocus } from "./fold-focus.ts";
import { questionOf } from "./question.ts";
import { amountsOf, answerOf, callsOf, outcomeOf } from "./turn-end.ts";

type FoldedTurnProps = { readonly turn: Turn; readonly folds: Folds };

export function FoldedTurn({ turn, folds }: FoldedTurnProps) {
  const button = useRef<HTMLButtonElement>(null);
  useFoldFocus(turn.key, button);
  const calls = callsOf(turn);
  const facts = [
    ...(calls === 0 ? [] : [formatCount(calls, "tool call")]),
    ...amountsOf(turn).slice(0, 2),
    ...[outcomeOf(turn)].filter((outcome) => outcome !== undefined),
  ];
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
        <span class="folded-question truncate">{questionOf(turn) ?? answerOf(turn)}</span>
        <span class="amounts">{facts.join(" · ")}</span>
      </button>
    </section>
  );
}
