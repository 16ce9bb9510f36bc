/** Entries that leave the document while they are far out of sight, where as much room is kept for them. */
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { isLoadingCode } from "../elements/lazy.tsx";
import { memo } from "../elements/memo.tsx";
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";
import type { Chunk } from "./chunks.ts";
import { Entry } from "./entry.tsx";
import type { Sight } from "./sight.ts";

type ChunkProps = {
  readonly session: SessionStore;
  readonly chunk: Chunk;
  readonly sight: Sight;
};

export const ChunkOfEntries = memo(({ session, chunk: { entries, open }, sight }: ChunkProps) => {
  const folds = useApp().folds.of(session.id);
  const folded = useComputed(() => entries.map(({ key }) => folds.isFolded(key)).join());
  const drawn = `${entries[0]?.key} ${entries.length} ${folded.value}`;
  const { element, isMeasured, height, keep } = usePlace(sight, drawn, open > 0);
  if (height !== undefined) {
    const keys = entries.map(({ key }) => key).join(" ");
    return <div ref={element} class="chunk" data-keys={keys} style={{ height: `${height}px` }} />;
  }
  return (
    <div
      ref={element}
      class={isMeasured ? "chunk measured" : "chunk"}
      onPointerDown={keep}
      onFocusIn={keep}
    >
      {entries.map((entry, index) => (
        <Entry
          key={entry.key}
          session={session}
          entry={entry}
          isOpen={index >= entries.length - open}
        />
      ))}
    </div>
  );
});

/** A frame or two. */
const MEASURING_MS = 100;

/** The height while it is not drawn; undefined while that is not known. */
type Measured = { readonly drawn: string; readonly height?: number };

const NOT_MEASURED: Measured = { drawn: "" };

/**
 * Measures a chunk before it leaves the layout or the document, out of sight: nothing moves when it comes
 * back. A chunk that a person has used does not leave: a part of it may be open, or have the focus.
 */
function usePlace(sight: Sight, drawn: string, isOpen: boolean) {
  const element = useRef<HTMLDivElement>(null);
  const isUsed = useRef(false);
  const isNear = useSignal(true);
  const measured = useSignal(NOT_MEASURED);
  const isMeasured = measured.value.drawn === drawn;
  const isWanted = isNear.value || sight.isWhole.value || isOpen;
  const { height } = measured.value;
  const isAway = isMeasured && !isWanted && height !== undefined;
  useEffect(() => {
    const { current } = element;
    return current === null ? undefined : sight.follow(current, isNear);
  }, []);
  useEffect(() => {
    const { current } = element;
    if (current === null || isAway) return undefined;
    if (!isMeasured)
      return afterDrawing(() => {
        measured.value = { drawn };
      });
    // It has come back.
    if (height !== undefined) measured.value = NOT_MEASURED;
    else if (!isWanted && !isUsed.current && !isSelected(current))
      measured.value = { drawn, height: current.getBoundingClientRect().height };
    return undefined;
  });
  const keep = () => {
    isUsed.current = true;
  };
  return {
    element,
    isMeasured: isMeasured && height === undefined,
    height: isAway ? height : undefined,
    keep,
  };
}

/** The code of its parts may still have to be loaded. */
function afterDrawing(act: () => void): () => void {
  const timer = setInterval(() => {
    if (!isLoadingCode()) act();
  }, MEASURING_MS);
  return () => clearInterval(timer);
}

function isSelected(element: Element): boolean {
  const selection = getSelection();
  return selection?.isCollapsed === false && selection.containsNode(element, true);
}
