/** Tells screen readers what is finished in a transcript. */

import { useSignal, useSignalEffect } from "@preact/signals";
import { createPortal } from "preact";
import { useMemo } from "preact/hooks";
import { showHidden } from "../../client/views/visible-text.ts";
import type { SessionStore } from "../store/session-store.ts";
import { Announcements } from "./announcements.ts";

/** So many of the latest announcements stay, for a reader that is behind. */
const KEPT = 4;

/** Outside of the conversation, in which the same is read. */
export function Announcer({ session }: { readonly session: SessionStore }) {
  const announcements = useMemo(() => new Announcements(), [session]);
  const shown = useSignal<readonly { readonly id: number; readonly text: string }[]>([]);
  useSignalEffect(() => {
    if (session.phase.value === "loading") return;
    const texts = announcements.next(session.entries.value, session.openEntries.value);
    if (texts.length === 0) return;
    const before = shown.peek();
    const id = (before.at(-1)?.id ?? 0) + 1;
    const added = texts.map((text, index) => ({ id: id + index, text }));
    shown.value = [...before, ...added].slice(-KEPT);
  });
  return createPortal(
    <div class="visually-hidden announcer" aria-live="polite" aria-relevant="additions">
      {shown.value.map(({ id, text }) => (
        <p key={id}>{showHidden(text)}</p>
      ))}
    </div>,
    document.body,
  );
}
