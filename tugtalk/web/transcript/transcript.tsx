/** The transcript of a session: it opens at its end, and stays there until a person scrolls away. */
import { useComputed } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { lazy } from "../elements/lazy.tsx";
import type { SessionStore } from "../store/session-store.ts";
import { ChunkOfEntries } from "./chunk-of-entries.tsx";
import { Chunks } from "./chunks.ts";
import type { FollowedEnd } from "./followed-end.ts";
import { Older } from "./older.tsx";
import { useSight } from "./sight.ts";
import { Surroundings } from "./surroundings.tsx";

const Beginning = lazy(async () => (await import("./beginning.tsx")).Beginning);

type TranscriptProps = { readonly session: SessionStore; readonly end: FollowedEnd };

export function Transcript({ session, end }: TranscriptProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (scroller.current === null || content.current === null) return;
    return end.follow(scroller.current, content.current);
  }, [end]);
  return (
    <section class="transcript" aria-label="Conversation">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard. */}
      <div ref={scroller} class="transcript-scroller" tabIndex={0}>
        <div ref={content} class="transcript-content">
          {session.isEmpty.value && <Beginning session={session} />}
          <Entries session={session} scroller={scroller} />
        </div>
      </div>
      <Surroundings session={session} scroller={scroller} end={end} />
    </section>
  );
}

type EntriesProps = {
  readonly session: SessionStore;
  readonly scroller: RefObject<HTMLElement | null>;
};

/** Drawn anew when an entry is added or finished: an open one follows its own changes. */
function Entries({ session, scroller }: EntriesProps) {
  const list = useRef<HTMLDivElement>(null);
  const sight = useSight(scroller);
  const openKeys = useComputed(() => session.openEntries.value.map(({ key }) => key).join("\n"));
  const chunker = useMemo(() => new Chunks(), [session]);
  const chunks = useComputed(() =>
    chunker.of(session.entries.value, openKeys.value === "" ? [] : session.openEntries.peek()),
  );
  useKeptPosition(scroller, list, chunks.value[0]?.entries[0]?.key);
  return (
    <>
      {/* Drawn with the entries: it goes with the first of them, and nothing is to move. */}
      <Older session={session} scroller={scroller} />
      <div ref={list} class="entries">
        {chunks.value.map((chunk) => (
          <ChunkOfEntries key={chunk.id} session={session} chunk={chunk} sight={sight} />
        ))}
      </div>
    </>
  );
}

/** Called while the entries are drawn: the document is then as it was before, and changes after. */
function useKeptPosition(
  scroller: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
  firstKey: string | undefined,
): void {
  const drawnKey = useRef(firstKey);
  const first = drawnKey.current === firstKey ? undefined : list.current?.querySelector(".entry");
  const top = first?.getBoundingClientRect().top ?? 0;
  drawnKey.current = firstKey;
  useLayoutEffect(() => {
    if (scroller.current === null || first?.isConnected !== true) return;
    scroller.current.scrollTop += first.getBoundingClientRect().top - top;
  }, [firstKey]);
}
