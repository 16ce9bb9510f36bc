/** A finished turn as one line. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Turn } from "../../client/transcript-models.ts";
import { formatCount } from "../elements/format-amount.ts";
import { Icon } from "../elements/icon.tsx";
import type { Folds } from "../store/folds.ts";
import { amountsOf, answerOf, callsOf, outcomeOf, questionOf } from "./turn-end.ts";

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
        <span class="grow truncate">{questionOf(turn) ?? answerOf(turn)}</span>
        <span class="amounts numeric hint">{facts.join(" · ")}</span>
      </button>
    </section>
  );
}

/** Folds a turn for a person, whose focus stays with it: the button that was pressed is replaced by another. */
let toggled: string | undefined;

export function toggleFold(folds: Folds, key: string): void {
  toggled = key;
  folds.toggle(key);
}

/** Focuses the button if it takes the place of the one that was pressed. */
export function useFoldFocus(key: string, button: RefObject<HTMLButtonElement | null>): void {
  useEffect(() => {
    if (toggled !== key) return;
    toggled = undefined;
    button.current?.focus();
  }, [key]);
}
