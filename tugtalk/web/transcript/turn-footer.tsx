/** The foot of a finished turn: how it ended, what it took, and what can be done with it. */
import { useRef } from "preact/hooks";
import type { Turn } from "../../src/messages/transcript-models.ts";
import { CopyButton } from "../elements/copy-button.tsx";
import { Icon } from "../elements/icon.tsx";
import type { Folds } from "../store/folds.ts";
import { toggleFold, useFoldFocus } from "./fold-focus.ts";
import { SentTime } from "./sent-time.tsx";
import { amountsOf, answerOf, outcomeOf } from "./turn-end.ts";

type TurnFooterProps = {
  readonly turn: Turn;
  readonly folds: Folds;
  /** The latest turn is never folded. */
  readonly isLast: boolean;
};

export function TurnFooter({ turn, folds, isLast }: TurnFooterProps) {
  const outcome = outcomeOf(turn);
  const answer = answerOf(turn);
  return (
    <footer class="turn-footer">
      {outcome !== undefined && <Outcome turn={turn} outcome={outcome} />}
      <span class="amounts">
        {turn.sentAt !== undefined && <SentTime at={turn.sentAt} />}
        {amountsOf(turn).join(" · ")}
      </span>
      <span class="turn-actions">
        {answer !== "" && <CopyButton text={answer} label="Copy as Markdown" />}
        {!isLast && <FoldButton turn={turn} folds={folds} />}
      </span>
    </footer>
  );
}

function FoldButton({ turn: { key }, folds }: Pick<TurnFooterProps, "turn" | "folds">) {
  const button = useRef<HTMLButtonElement>(null);
  useFoldFocus(key, button);
  return (
    <button
      ref={button}
      type="button"
      class="icon-button"
      title="Collapse this turn"
      aria-label="Collapse this turn"
      onClick={() => toggleFold(folds, key)}
    >
      <Icon name="chevron-up" />
    </button>
  );
}

function Outcome({ turn, outcome }: { readonly turn: Turn; readonly outcome: string }) {
  const isFailure = turn.status === "error";
  const errors = turn.end?.errors ?? [];
  return (
    <div class={isFailure ? "outcome failed" : "outcome"}>
      {outcome}
      {errors.map((error) => (
        <p key={error} class="plain">
          {error}
        </p>
      ))}
    </div>
  );
}
