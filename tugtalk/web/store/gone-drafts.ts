/** Removes the drafts of deleted sessions from the storage of the browser. */
import type { HostFrame } from "../../client/session-input.ts";

type Named = { readonly id: string };

/** Takes a frame of the board. Keys of drafts begin with `prefix`. A draft on screen stays on screen. */
export function removeGone(
  storages: readonly Storage[],
  prefix: string,
  { t, d }: HostFrame,
): void {
  const remove = (isGone: (sessionId: string) => boolean) => {
    for (const storage of storages)
      for (const key of keysOf(storage))
        if (key.startsWith(prefix) && isGone(key.slice(prefix.length))) storage.removeItem(key);
  };
  if (t === "session_deleted") {
    const { id } = d as Named;
    remove((draft) => draft === id);
  } else if (t === "sessions") {
    // Sessions may have been deleted while no page was open here.
    const { sessions } = d as { readonly sessions: readonly Named[] };
    remove((draft) => !sessions.some(({ id }) => id === draft));
  }
}

function keysOf(storage: Storage): readonly string[] {
  return Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "");
}
