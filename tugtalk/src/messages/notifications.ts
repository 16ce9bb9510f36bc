/**
 * News: kinds of line that Claude prints for display and that a host gets under a name of its own
 * with Claude's fields unchanged. One table gives the inbound schema, the outbound schema and the
 * name. Kinds that tugtalk must understand to do its work are in `protocol-types.ts`.
 */
import { z } from "zod";
import { type Unstamped, withoutReserved } from "./envelope.ts";
import { SESSION_NEWS } from "./notification-session.ts";
import { TASK_NEWS } from "./notification-tasks.ts";
import { TURN_NEWS } from "./notification-turn.ts";

/**
 * Outbound name and fields for each kind: `type` or `type/subtype`. Kinds without fields are printed
 * by Claude and not in its declarations, so that nothing is known of them but the name.
 */
export const NEWS = { ...SESSION_NEWS, ...TASK_NEWS, ...TURN_NEWS } as const;

/** A kind of line that is news. */
export type NewsKind = keyof typeof NEWS;

/** Every outbound message that is news. */
export const NewsMessage = z.union(Object.values(NEWS).map(({ sent }) => sent));
export type NewsMessage = z.infer<(typeof NEWS)[NewsKind]["sent"]>;

/** A line of Claude's that is news, already in the shape that the host gets. */
export type News = {
  [Kind in NewsKind]: {
    readonly type: "news";
    readonly kind: Kind;
    readonly message: Unstamped<z.infer<(typeof NEWS)[Kind]["sent"]>>;
    readonly session_id: string | undefined;
  };
}[NewsKind];

/** Tells whether a kind of line is news. */
export function isNewsKind(kind: string): kind is NewsKind {
  return Object.hasOwn(NEWS, kind);
}

/** A parsed line of a kind that is news; undefined where a field that is relied on is ill-typed. */
export function parseNews(
  kind: NewsKind,
  raw: Readonly<Record<string, unknown>>,
): News | undefined {
  const { type: _type, subtype: _subtype, session_id, parent_tool_use_id, ...fields } = raw;
  const parsed = NEWS[kind].parsed.safeParse({
    ...withoutReserved(fields),
    type: NEWS[kind].name,
    ...(typeof parent_tool_use_id === "string" && { parent_tool_use_id }),
  });
  if (!parsed.success) return undefined;
  const sessionId = typeof session_id === "string" ? session_id : undefined;
  // The table pairs each kind with the schema of its message; the compiler cannot follow that.
  return { type: "news", kind, message: parsed.data, session_id: sessionId } as News;
}
