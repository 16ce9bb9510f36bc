/** One turn, or what happened between two turns. */
import { useComputed } from "@preact/signals";
import { shownItems } from "../../client/agent-items.ts";
import type { TranscriptEntry } from "../../client/transcript-models.ts";
import { lazy } from "../elements/lazy.tsx";
import { memo } from "../elements/memo.tsx";
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";
import { Items } from "./items.tsx";

const TurnFooter = lazy(async () => (await import("./transcript-parts.ts")).PARTS.TurnFooter);
const FoldedTurn = lazy(async () => (await import("./transcript-parts.ts")).PARTS.FoldedTurn);

type EntryProps = {
  readonly session: SessionStore;
  readonly entry: TranscriptEntry;
  /** It may change, and its changes are followed. */
  readonly isOpen: boolean;
};

export const Entry = memo(({ session, entry, isOpen }: EntryProps) => {
  const folds = useApp().folds.of(session.id);
  const isFolded = useComputed(() => folds.isFolded(entry.key));
  const latest = isOpen ? latestOf(session, entry) : entry;
  const isFinished = latest.kind === "turn" && latest.status !== "running";
  if (!isOpen && isFinished && isFolded.value) return <FoldedTurn turn={latest} folds={folds} />;
  return (
    <section class={isOpen ? "entry" : "entry finished"} data-key={entry.key}>
      <Items session={session} items={shownItems(latest)} agents={latest.agents} />
      {isFinished && <TurnFooter turn={latest} folds={folds} isLast={isOpen} />}
    </section>
  );
});

function latestOf({ openEntries }: SessionStore, entry: TranscriptEntry): TranscriptEntry {
  return openEntries.value.find(({ key }) => key === entry.key) ?? entry;
}
