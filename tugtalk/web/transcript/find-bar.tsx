/** Finds a text in the conversation. */
import { useComputed, useSignalEffect } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { IconButton } from "../elements/icon-button.tsx";
import { IS_TOUCH } from "../elements/is-touch.ts";
import { KeyView } from "../elements/key-view.tsx";
import { messageField } from "../elements/message-field.ts";
import { deliverTypedAhead } from "../elements/typed-ahead.ts";
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
  const { isFinding, folds, found, toasts } = useApp();
  const search = useMemo(
    () => new Search({ session, scroller, end, folds: folds.of(session.id) }),
    [session],
  );
  useEffect(() => search.follow(), [search]);
  useSignalEffect(() => {
    const place = found.value;
    if (place?.session !== session.id || session.phase.value !== "open") return;
    found.value = undefined;
    void toasts.attempt(search.goTo(place));
  });
  const close = () => {
    isFinding.value = false;
  };
  return (
    <search
      class="find-bar"
      aria-busy={search.isArriving.value}
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
      {!IS_TOUCH && <FindKeys />}
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
    deliverTypedAhead();
    return () => {
      // A button of another view that led here is gone.
      const isThere = opener instanceof HTMLElement && opener !== document.body;
      const back = isThere && opener.isConnected ? opener : messageField();
      back?.focus();
    };
  }, []);
  return (
    <input
      ref={input}
      type="search"
      class="bare"
      aria-label="Find in the conversation"
      placeholder="Find"
      value={search.query.value}
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

function FindKeys() {
  return (
    <p class="find-keys line hint">
      <KeyView keys="Enter" /> next <KeyView keys="Shift+Enter" /> previous{" "}
      <KeyView keys="Escape" /> closes
    </p>
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
