/** Finds a text in the conversation. */
import { useComputed } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { IconButton } from "../elements/icon-button.tsx";
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";
import type { FollowedEnd } from "./followed-end.ts";
import { Search } from "./search.ts";

type FindBarProps = {
  readonly session: SessionStore;
  readonly scroller: HTMLElement;
  readonly end: FollowedEnd;
};

export function FindBar({ session, scroller, end }: FindBarProps) {
  const { isFinding, folds } = useApp();
  const search = useMemo(
    () => new Search({ session, scroller, end, folds: folds.of(session.id) }),
    [session],
  );
  useEffect(() => search.follow(), [search]);
  const close = () => {
    isFinding.value = false;
  };
  return (
    <search
      class="find-bar"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        close();
      }}
    >
      <Field search={search} />
      <span class="muted small numeric" role="status">
        {search.status}
      </span>
      <IconButton icon="chevron-up" label="Previous" onClick={() => search.step(-1)} />
      <IconButton icon="chevron-down" label="Next" onClick={() => search.step(1)} />
      <SearchOlder session={session} search={search} />
      <IconButton icon="cross" label="Close" onClick={close} />
    </search>
  );
}

type SearchProps = { readonly search: Search };

function Field({ search }: SearchProps) {
  const input = useRef<HTMLInputElement>(null);
  // At once, so that no letter is lost that is typed after the key.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    input.current?.focus();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <input
      ref={input}
      type="search"
      class="bare"
      aria-label="Find in the conversation"
      placeholder="Find"
      onInput={({ currentTarget }) => {
        search.query.value = currentTarget.value;
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        search.step(event.shiftKey ? -1 : 1);
      }}
    />
  );
}

function SearchOlder({ session, search }: SearchProps & Pick<FindBarProps, "session">) {
  const { toasts } = useApp();
  const hasOlder = useComputed(() => session.state.value.before !== undefined);
  if (search.query.value === "" || !hasOlder.value) return null;
  return (
    <button
      type="button"
      class="small"
      disabled={search.isLoading.value}
      onClick={({ currentTarget }) => {
        // The button is disabled or gone after that, and keys would be for the page.
        currentTarget.closest("search")?.querySelector("input")?.focus();
        void toasts.attempt(search.loadOlder());
      }}
    >
      {search.isLoading.value ? "Searching…" : "Search older messages"}
    </button>
  );
}
