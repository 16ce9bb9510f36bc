/** The names of the bells that hosts ring for each other. */

/** Rows of sessions are new, changed, taken or deleted. */
export const ROWS = "rows";
/** The access keys have changed. */
export const DOOR = "door";
/** The session with this id has new entries. */
export const ENTRIES = "entries:";
/** The session with this id has new commands. */
export const CALL = "call:";
/** The command with this id is answered. */
export const REPLY = "reply:";

/** The id in the name of a bell of this kind; undefined for a bell of another kind. */
export function rungFor(kind: typeof ENTRIES | typeof CALL | typeof REPLY, name: string) {
  return name.startsWith(kind) ? name.slice(kind.length) : undefined;
}
