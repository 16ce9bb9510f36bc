/** The names of the bells that hosts ring for each other. */

/** For rows of sessions that are new, changed, taken or deleted. */
export const ROWS = "rows";
/** For other keys of the door. */
export const DOOR = "door";
/** For new entries of the session with this id. */
export const ENTRIES = "entries:";
/** For commands to the session with this id. */
export const CALL = "call:";
/** For the answer to the command with this id. */
export const REPLY = "reply:";

/** The id in the name of a bell of this kind; undefined where it is of another one. */
export function rungFor(kind: typeof ENTRIES | typeof CALL | typeof REPLY, name: string) {
  return name.startsWith(kind) ? name.slice(kind.length) : undefined;
}
