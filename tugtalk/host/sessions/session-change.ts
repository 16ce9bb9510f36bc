/** One change of a session, as it goes into its journal. Pure. */
import type { Fields } from "../../client/claude-value.ts";
import type { Commit } from "../journal/journal.ts";

/** A message of the bridge or an event of the host, before it is in the journal. */
export type NewEntry = { readonly type: string; readonly data: Fields };

/** What is committed together with entries. */
export type Change = Omit<Commit, "entries" | "snapshot">;
