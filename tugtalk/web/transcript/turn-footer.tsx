/** The foot of a finished turn: its end, its cost, and its actions. */
import { useRef } from "preact/hooks";
import type { Turn } from "../../client/transcript-models.ts";
import { CopyButton } from "../elements/copy-button.tsx";
import { formatTime } from "../elements/format-time.ts";
import { IconButton } from "../elements/icon-button.tsx";
import { lazy } from "../elements/lazy.tsx";
import type { Folds } from "../store/folds.ts";
import type { SessionStore } from "../store/session-store.ts";
import { toggleFold, useFoldFocus } from "./fold-focus.ts";
import { amountsOf, answerOf, outcomeOf } from "./turn-end.ts";

const TurnOutcome = lazy(async () => (await import("./turn-outcome.tsx")).TurnOutcome);

type TurnFooterProps = {
  readonly session: SessionStore;
  readonly turn: Turn;
  readonly folds: Folds;
  /** The latest turn is never folded. */
  readonly isLast: boolean;
};

export function TurnFooter({ session, turn, folds, isLast }: TurnFooterProps) {
  const outcome = outcomeOf(turn);
  const answer = answerOf(turn);
  return (
    <footer class="turn-footer row hint">
      {outcome !== undefined && <TurnOutcome session={session} turn={turn} outcome={outcome} />}
      <span class="amounts numeric">
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
    <IconButton
      button={button}
      icon="chevron-up"
      label="Collapse this turn"
      onClick={() => toggleFold(folds, key)}
    />
  );
}

/** When a message was sent: the time of day, and the date too if that is another one. */
function SentTime({ at }: { readonly at: number }) {
  const date = new Date(at);
  return (
    <>
      <time dateTime={date.toISOString()} title={date.toLocaleString()}>
        {formatTime(date, new Date())}
      </time>
      {" · "}
    </>
  );
}
