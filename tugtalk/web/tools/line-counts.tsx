/** How many lines a change adds and removes. */
import type { DiffHunk } from "../../src/messages/prompt-models.ts";
import { countChanges } from "./diff-rows.ts";

export function LineCounts({ hunks }: { readonly hunks: readonly DiffHunk[] }) {
  const { added, removed } = countChanges(hunks);
  return (
    <span class="line-counts" role="img" aria-label={`${added} added, ${removed} removed`}>
      {added > 0 && <span class="lines-added">{`+${added}`}</span>}
      {removed > 0 && <span class="lines-removed">{`−${removed}`}</span>}
    </span>
  );
}
