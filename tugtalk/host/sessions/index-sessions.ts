/** Indexes in the background, one after the other, the sessions that an older host has not indexed. */
import { setTimeout } from "node:timers/promises";
import type { Journal } from "../journal/journal.ts";

export async function indexSessions(
  journal: Pick<Journal, "unindexed">,
  index: (id: string) => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  for (const id of await journal.unindexed()) {
    // Other work goes before the next session.
    await setTimeout(0, undefined, { ref: false });
    if (isOver()) return;
    try {
      await index(id);
    } catch {
      // The session is gone or damaged, or the disk is full, which is reported where the session is used. The
      // next start tries again.
    }
  }
}
