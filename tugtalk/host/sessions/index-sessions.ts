/** Indexes, in the background, the sessions of a host without an index, one after the other. */
import { setTimeout } from "node:timers/promises";
import type { Journal } from "../journal/journal.ts";

export async function indexSessions(
  journal: Pick<Journal, "unindexed">,
  index: (id: string) => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  for (const id of await journal.unindexed()) {
    // Others have their turn before the next one.
    await setTimeout(0, undefined, { ref: false });
    if (isOver()) return;
    try {
      await index(id);
    } catch {
      // It is gone, cannot be read, or the disk takes no more, which is reported where the session
      // is used. The next start tries again.
    }
  }
}
