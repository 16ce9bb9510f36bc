/** The transcript of a session: it opens at its end, and stays there until a person scrolls away. */
import { useComputed, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { lazy } from "../elements/lazy.tsx";
import { memo } from "../elements/memo.tsx";
import type { SessionStore } from "../store/session-store.ts";
import { type Chunk, Chunks } from "./chunks.ts";
import { Entry } from "./entry.tsx";
import { FollowedEnd } from "./followed-end.ts";

const Older = lazy(async () => (await import("./transcript-parts.ts")).PARTS.Older);
const Foot = lazy(async () => (await import("./transcript-parts.ts")).PARTS.Foot);
const Surroundings = lazy(async () => (await import("./transcript-parts.ts")).PARTS.Surroundings);

export function Transcript({ session }: { readonly session: SessionStore }) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const end = useMemo(() => new FollowedEnd(), []);
  useLayoutEffect(() => {
    if (scroller.current === null || content.current === null) return;
    return end.follow(scroller.current, content.current);
  }, []);
  return (
    <section class="transcript" aria-label="Conversation">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <div ref={scroller} class="transcript-scroller" tabIndex={0}>
        <div ref={content} class="transcript-content">
          <Older session={session} scroller={scroller} />
          <Entries session={session} scroller={scroller} />
          <Foot session={session} />
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
  const openKeys = useComputed(() => session.openEntries.value.map(({ key }) => key).join("\n"));
  const chunker = useMemo(() => new Chunks(), [session]);
  const chunks = useComputed(() =>
    chunker.of(session.entries.value, openKeys.value === "" ? [] : session.openEntries.peek()),
  );
  useKeptPosition(scroller, list, chunks.value[0]?.entries[0]?.key);
  return (
    <div ref={list} class="entries">
      {chunks.value.map((chunk) => (
        <ChunkOfEntries key={chunk.id} session={session} chunk={chunk} />
      ))}
    </div>
  );
}

/** A frame or two. */
const MEASURING_MS = 100;

type ChunkProps = { readonly session: SessionStore; readonly chunk: Chunk };

/** Heights are measured before they may be left out of the layout: nothing moves when they come back. */
const ChunkOfEntries = memo(({ session, chunk: { entries, open } }: ChunkProps) => {
  const drawn = `${entries[0]?.key} ${entries.length}`;
  const measured = useSignal("");
  useEffect(() => {
    const timer = setTimeout(() => {
      measured.value = drawn;
    }, MEASURING_MS);
    return () => clearTimeout(timer);
  }, [drawn]);
  return (
    <div class={measured.value === drawn ? "chunk measured" : "chunk"}>
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
