/** Chooses one of Claude's own past conversations of the folder, to go on with. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { showHidden } from "../../client/views/visible-text.ts";
import { Age } from "../elements/age.tsx";
import { bound } from "../elements/bound.ts";
import { useApp } from "../store/app.ts";
import type { NewSessionForm } from "./new-session-fields.ts";
import { type PastConversation, PastConversations } from "./past-list.ts";

/** How long nobody has typed before the host reads a folder. */
const TYPED_MS = 250;

export function PastConversationField({ form }: { readonly form: NewSessionForm }) {
  const past = usePast(form);
  const search = useSignal("");
  const wanted = search.value.trim().toLowerCase();
  const shown = past.found.value.filter(({ title }) => title.toLowerCase().includes(wanted));
  return (
    <fieldset class="stack">
      <legend class="visually-hidden">Past conversations</legend>
      <input
        type="search"
        aria-label="Search past conversations"
        placeholder="Search by title"
        {...bound(search)}
      />
      <div class="past-list">
        {shown.map((conversation) => (
          <Row key={conversation.id} conversation={conversation} chosen={form.resume} />
        ))}
        <Rest past={past} isEmpty={shown.length === 0} />
      </div>
      <CopyChoice isCopy={form.fork} />
    </fieldset>
  );
}

function usePast({ place, dir, resume }: NewSessionForm): PastConversations {
  const { host } = useApp();
  const past = useMemo(() => new PastConversations(host.transport), [host]);
  const [namedPlace, namedDir] = [place.value, dir.value.trim()];
  useEffect(() => {
    resume.value = "";
    const timer = setTimeout(() => {
      void past.open({ place: namedPlace, dir: namedDir });
    }, TYPED_MS);
    return () => clearTimeout(timer);
  }, [past, namedPlace, namedDir]);
  return past;
}

type RowProps = { readonly conversation: PastConversation; readonly chosen: Signal<string> };

function Row({ conversation: { id, title, updatedAt, branch }, chosen }: RowProps) {
  return (
    <label class="choice past-row">
      <input
        type="radio"
        name="past"
        checked={chosen.value === id}
        onChange={() => {
          chosen.value = id;
        }}
      />
      <span class="grow truncate" title={showHidden(title)}>
        {showHidden(title)}
      </span>
      <span class="muted small">
        {showHidden(branch ?? "")} <Age at={updatedAt} />
      </span>
    </label>
  );
}

type RestProps = { readonly past: PastConversations; readonly isEmpty: boolean };

function Rest({ past, isEmpty }: RestProps) {
  switch (past.state.value) {
    case "loading":
      return <p class="muted small">Looking for conversations…</p>;
    case "failed":
      return <p class="problem">{past.failure.value}</p>;
    case "more":
      return (
        <button type="button" class="quiet small" onClick={() => void past.more()}>
          Show older ones
        </button>
      );
    default:
      return isEmpty ? <p class="muted small">No conversation found in this folder.</p> : null;
  }
}

function CopyChoice({ isCopy }: { readonly isCopy: Signal<boolean> }) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={isCopy.value}
        onChange={(event) => {
          isCopy.value = event.currentTarget.checked;
        }}
      />
      <span>Continue in a copy, and leave the conversation as it is</span>
    </label>
  );
}
