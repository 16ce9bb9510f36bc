/** Finds texts and tool calls in all sessions, and leads to them. */
import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useId, useMemo } from "preact/hooks";
import type { SearchHit } from "../../client/host-api.ts";
import { useModal } from "../elements/dialog.tsx";
import { Option } from "../elements/option.tsx";
import { OPTION_STEPS } from "../elements/option-steps.ts";
import { useApp } from "../store/app.ts";
import { goTo } from "../store/route.ts";
import { HitView } from "./hit-view.tsx";
import { MAX_QUERY_CHARS, TextSearch } from "./text-search.ts";

export function SearchDialog() {
  const { close } = useApp();
  const modal = useModal(close);
  return (
    <dialog {...modal} closedby="any" class="dialog palette" aria-label="Search in all sessions">
      <SearchBody />
    </dialog>
  );
}

function SearchBody() {
  const app = useApp();
  const { searched } = app;
  const search = useTextSearch(app);
  const id = useId();
  const chosen = useSignal(0);
  const isAwaited = useAwaited(search);
  const { hits } = search;
  const at = Math.max(Math.min(chosen.value, hits.length - 1), 0);
  const selected = hits[at];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = OPTION_STEPS[event.key];
    if (step !== undefined) chosen.value = Math.max(Math.min(at + step, hits.length - 1), 0);
    else if (event.key !== "Enter") return;
    // The shown hits were found for an earlier text.
    else if (!search.isCurrent) isAwaited.value = true;
    else if (selected !== undefined) openHit(app, selected);
    event.preventDefault();
    if (step === 1 && chosen.value >= hits.length - 1) void search.more();
  };
  return (
    <>
      <input
        type="text"
        class="palette-field"
        role="combobox"
        aria-label="What was said or done?"
        aria-expanded={hits.length > 0}
        aria-controls={id}
        aria-activedescendant={selected && `${id}-${at}`}
        placeholder="Words that were said, commands, files"
        autoComplete="off"
        spellcheck={false}
        maxLength={MAX_QUERY_CHARS}
        dir="auto"
        value={searched.value}
        onInput={({ currentTarget }) => {
          searched.value = currentTarget.value;
          chosen.value = 0;
          isAwaited.value = false;
        }}
        onKeyDown={onKeyDown}
      />
      <p class="search-status muted small" role="status">
        {search.status}
      </p>
      <Hits id={id} search={search} selected={at} />
    </>
  );
}

function useTextSearch({ host, searched }: ReturnType<typeof useApp>): TextSearch {
  const search = useMemo(() => {
    const isThere = (session: string) => host.board.value.sessions.some(({ id }) => id === session);
    return new TextSearch(host.transport, searched, isThere);
  }, [host, searched]);
  useEffect(() => search.follow(), [search]);
  return search;
}

/** While it is set, the first hit for the typed text is opened as soon as it is found. */
function useAwaited(search: TextSearch): Signal<boolean> {
  const app = useApp();
  const isAwaited = useSignal(false);
  useSignalEffect(() => {
    if (!isAwaited.value || !search.isCurrent) return;
    isAwaited.value = false;
    const [first] = search.hits;
    if (first !== undefined) openHit(app, first);
  });
  return isAwaited;
}

type HitsProps = {
  readonly id: string;
  readonly search: TextSearch;
  readonly selected: number;
};

function Hits({ id, search, selected }: HitsProps) {
  const app = useApp();
  return (
    <div class="palette-list">
      <div id={id} role="listbox" aria-label="Found">
        {search.hits.map((hit, index) => (
          <Option
            key={hit.at}
            id={`${id}-${index}`}
            class="menu-item search-hit"
            isSelected={index === selected}
            onChoose={() => openHit(app, hit)}
          >
            <HitView hit={hit} />
          </Option>
        ))}
      </div>
      {search.hasMore && (
        <button type="button" class="quiet" onClick={() => void search.more()}>
          Show more
        </button>
      )}
    </div>
  );
}

/** Shows the session at the place of the hit, with the found text marked. */
function openHit({ close, found }: ReturnType<typeof useApp>, hit: SearchHit): void {
  const { session: id, entry, item, snippet, marks } = hit;
  close();
  found.value = { session: id, entry, item, text: snippet.slice(marks[0]?.start, marks[0]?.end) };
  goTo({ name: "session", id });
}
