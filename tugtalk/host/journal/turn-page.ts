/** A page of the turns that have left the state of a session. */
import type { EntryPage } from "../../client/entry-pages.ts";
import { readableTurn } from "./damage.ts";
import type { Head } from "./rows.ts";
import type { Statements } from "./statements.ts";

/** The turns before the turn with this key, or the latest turns; none if the session does not exist. */
export function turnsBefore(
  sql: Statements,
  head: Head | null,
  key: string | undefined,
  limit: number,
): EntryPage {
  if (head === null) return { entries: [] };
  const session = head.number;
  const before = key === undefined ? head.turn + 1 : sql.turnOfKey.get({ session, key })?.turn;
  if (before === undefined) return { entries: [] };
  const found = { session, after: head.start_turn, before, limit };
  const rows = sql.turnsBetween.all(found).reverse();
  const first = rows[0];
  const hasMore = first !== undefined && first.turn > head.start_turn + 1;
  return { entries: rows.map(readableTurn), ...(hasMore && { before: first.key }) };
}
