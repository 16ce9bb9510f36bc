/** One change of a session, as it goes into its journal. Pure. */
import type { Fields } from "../../client/claude-value.ts";
import type { Commit, SessionRow } from "../journal/journal.ts";

/** A message of the bridge or an event of the host, before it is in the journal. */
export type NewEntry = { readonly type: string; readonly data: Fields };

/** What is committed together with entries. */
export type Change = Omit<Commit, "entries" | "snapshot">;

/** The row after a change; the same one where that is not changed, as by most messages. */
export function changedRow(
  row: SessionRow,
  { session, unset = [] }: Pick<Change, "session" | "unset">,
): SessionRow {
  if (session === undefined && unset.length === 0) return row;
  const gone = new Set<string>(unset);
  const kept = Object.entries({ ...row, ...session }).filter(([name]) => !gone.has(name));
  // Only optional fields can be unset.
  return Object.fromEntries(kept) as SessionRow;
}
