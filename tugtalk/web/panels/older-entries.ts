/** The entries of a session that are older than the loaded ones, page by page. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TranscriptEntry } from "../../client/transcript-models.ts";
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";

/** The most that a host gives at a time. */
const PAGE_ENTRIES = 200;

type OlderEntries = {
  /** Oldest first. */
  readonly entries: readonly TranscriptEntry[];
  /** There are more, which are on their way. */
  readonly isLoading: boolean;
};

const NONE: OlderEntries = { entries: [], isLoading: false };

/** Fetches all older entries while the component is there. The transcript does not change. */
export function useOlderEntries(session: SessionStore): OlderEntries {
  const { toasts } = useApp();
  const older = useSignal(NONE);
  useEffect(() => {
    const leaving = new AbortController();
    fetchOlder(session, leaving.signal, (page) => {
      older.value = page;
    }).catch((error: unknown) => {
      older.value = { ...older.value, isLoading: false };
      toasts.fail(error);
    });
    return () => leaving.abort();
  }, [session, older, toasts]);
  return older.value;
}

async function fetchOlder(
  session: SessionStore,
  leaving: AbortSignal,
  show: (older: OlderEntries) => void,
): Promise<void> {
  let { before } = session.state.value;
  let entries: readonly TranscriptEntry[] = [];
  while (before !== undefined && !leaving.aborted) {
    show({ entries, isLoading: true });
    const page = await session.command("turns", { before, limit: PAGE_ENTRIES });
    entries = [...page.entries, ...entries];
    before = page.before;
  }
  if (!leaving.aborted) show({ entries, isLoading: false });
}
