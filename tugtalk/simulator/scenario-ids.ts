/**
 * The ids that a conversation leaves open: `"$session"` for the session, and `"$new"` for another one each
 * time. Names like `$toolu_1`, `$msg_2` and `$uuid_3` stand for one id in all places of the name.
 */
import type { Session } from "./claude-lines.ts";
import type { NewId } from "./ids.ts";

const OPEN_ID = /"\$(?:session|new)"|\$(uuid|msg|toolu)_\d+\b/g;

/** `entries` with every open id filled in. Each call uses other ids. */
export function fillIds<Entry>(
  entries: readonly Entry[],
  { sessionId, newId }: Pick<Session, "sessionId" | "newId">,
): Entry[] {
  const named = new Map([['"$session"', `"${sessionId}"`]]);
  const idFor = (name: string, kind: string | undefined) => {
    if (name === '"$new"') return `"${newId()}"`;
    const id = named.get(name) ?? idOf(kind, newId);
    named.set(name, id);
    return id;
  };
  return JSON.parse(JSON.stringify(entries).replaceAll(OPEN_ID, idFor));
}

function idOf(kind: string | undefined, newId: NewId): string {
  return kind === "uuid" ? newId() : newApiId(kind ?? "", newId);
}

/** An id in the form of the model's API for messages (`msg`) and tool calls (`toolu`). */
export function newApiId(kind: string, newId: NewId): string {
  return `${kind}_sim${newId().replaceAll("-", "").slice(0, 20)}`;
}
