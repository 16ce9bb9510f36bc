/** Texts of the user side, and the receipts of user messages. */

import { present } from "../claude-value.ts";
import type { ReducedSession } from "../reduced-session.ts";
import type { TranscriptItem, UserItem } from "../transcript-models.ts";
import { handler } from "./handler.ts";
import { flag, object, objects, optional, text } from "./message-fields.ts";
import { addNotice } from "./notices.ts";
import { withoutQueued, withQueued } from "./queue.ts";
import {
  append,
  changeItem,
  entryAt,
  type ItemPosition,
  indexOfKey,
  itemsIn,
  listFor,
  positionOfTurn,
  withNewKey,
} from "./transcript.ts";

export const USER_HANDLERS = [
  handler(
    "user_text",
    {
      text,
      kind: text,
      content: optional(objects),
      message_id: optional(text),
      is_error: optional(flag),
      context_usage: optional(object),
    },
    (before, message) => {
      const { text: said, kind: source, content, message_id: messageId, context_usage } = message;
      const isHost = source === "host";
      const state =
        context_usage === undefined ? before : { ...before, contextUsage: context_usage };
      const [opened, position] = listFor(state, message);
      const entry = entryAt(opened, position);
      const isTaken =
        messageId === undefined ||
        (entry !== undefined && indexOfKey(itemsIn(entry, position.agent), messageId) !== -1);
      const [keyed, key] = isTaken ? withNewKey(opened) : ([opened, messageId] as const);
      const optionalFields = {
        content,
        messageId,
        isError: message.is_error,
        status: isHost && messageId !== undefined ? ("started" as const) : undefined,
      };
      return append(keyed, position, {
        kind: "user",
        key,
        text: said,
        source,
        ...present(optionalFields),
      });
    },
  ),
  handler(
    "message_status",
    { message_id: text, status: text, reason: optional(text) },
    (state, message) => {
      const { message_id: messageId, status } = message;
      if (status === "queued") return withQueued(state, { messageId });
      const queued = state.queue.find((item) => item.messageId === messageId);
      const unqueued = withoutQueued(state, messageId);
      if (status === "started") return unqueued;
      const position = positionOfMessage(unqueued, message);
      if (position !== undefined)
        return changeItem(unqueued, position, (item) => ended(item, status));
      if (status !== "failed") return unqueued;
      // The message never came into the transcript, so nothing else shows that it failed.
      const said = present({ text: queued?.text, reason: message.reason });
      return addNotice(unqueued, message, { kind: "message", messageId, status, ...said });
    },
  ),
] as const;

function ended(item: TranscriptItem, status: NonNullable<UserItem["status"]>): TranscriptItem {
  return item.kind === "user" && item.status !== status ? { ...item, status } : item;
}

/** The item of a message in its turn, or in the newest entries. */
function positionOfMessage(
  state: ReducedSession,
  { turn_id, message_id }: { readonly turn_id?: string | undefined; readonly message_id: string },
): ItemPosition | undefined {
  const ofTurn = turn_id === undefined ? undefined : positionOfTurn(state, turn_id);
  const open = state.openEntries.findLastIndex(({ items }) => indexOfKey(items, message_id) !== -1);
  const position = ofTurn ?? { list: "openEntries", index: open };
  const item = indexOfKey(entryAt(state, position)?.items ?? [], message_id);
  return item === -1 ? undefined : { ...position, agent: undefined, item };
}
