/** One turn, or the items between two turns. */
import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { shownItems } from "../../client/agent-items.ts";
import type { TranscriptEntry } from "../../client/transcript-models.ts";
import { lazy } from "../elements/lazy.tsx";
import { memo } from "../elements/memo.tsx";
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";
import { Items } from "./items.tsx";
import { TurnFooter } from "./turn-footer.tsx";

const FoldedTurn = lazy(async () => (await import("./folded-turn.tsx")).FoldedTurn);

type EntryProps = {
  readonly session: SessionStore;
  readonly entry: TranscriptEntry;
  /** It may change, and its changes are followed. */
  readonly isOpen: boolean;
};

export const Entry = memo(({ session, entry, isOpen }: EntryProps) => {
  const folds = useApp().folds.of(session.id);
  const { key, isForgotten } = entry;
  const isFolded = useMemo(() => computed(() => folds.isFolded(key, isForgotten)), [isForgotten]);
  const latest = isOpen ? latestOf(session, entry) : entry;
  const isFinished = latest.kind === "turn" && latest.status !== "running";
  if (!isOpen && isFinished && isFolded.value) return <FoldedTurn turn={latest} folds={folds} />;
  return (
    <section class={classOf(latest, isOpen)} data-key={entry.key}>
      <Items session={session} items={shownItems(latest)} agents={latest.agents} />
      {isFinished && <TurnFooter session={session} turn={latest} folds={folds} isLast={isOpen} />}
    </section>
  );
});

function classOf({ isForgotten }: TranscriptEntry, isOpen: boolean): string {
  return `entry${isOpen ? "" : " finished"}${isForgotten ? " forgotten" : ""}`;
}

function latestOf({ openEntries }: SessionStore, entry: TranscriptEntry): TranscriptEntry {
  return openEntries.value.find(({ key }) => key === entry.key) ?? entry;
}
