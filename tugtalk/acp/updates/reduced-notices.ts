/** The notices of a message by itself, as the transcript of a client gets them. Pure. */
import { initialSession } from "../../client/reduce-session.ts";
import { HANDLERS } from "../../client/reducer/message-handlers.ts";
import type { Notice } from "../../client/transcript-models.ts";
import type { OutboundDraft } from "../../src/types.ts";

export function noticesOf(message: OutboundDraft): Notice[] {
  const scope = { turn_id: undefined, parent_tool_use_id: undefined };
  const reduced = HANDLERS.get(message.type)?.(initialSession, { ...message, ...scope });
  const entries = [...(reduced?.entries ?? []), ...(reduced?.openEntries ?? [])];
  const items = entries.flatMap(({ items }) => items);
  return items.flatMap((item) => (item.kind === "notice" ? [item.notice] : []));
}
