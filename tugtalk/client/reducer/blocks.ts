/** Blocks of text and thinking: streamed, completed, abandoned and retracted. */

import { present } from "../claude-value.ts";
import type { ReducedSession } from "../reduced-session.ts";
import type { BlockItem, ToolItem, TranscriptItem } from "../transcript-models.ts";
import { handler, type Scope } from "./handler.ts";
import { kept, replaced } from "./lists.ts";
import { flag, number, object, optional, text } from "./message-fields.ts";
import { withoutRetry } from "./retry-notices.ts";
import { changeList, type Items, indexOfKey, itemsIn, listFor, newestWhere } from "./transcript.ts";

const BLOCK = {
  msg_id: text,
  block_index: number,
  status: text,
  is_partial: flag,
  text: optional(text),
};

type BlockMessage = Scope & {
  readonly msg_id: string;
  readonly block_index: number;
  readonly status: string;
  readonly text?: string | undefined;
};

type Marks = Pick<BlockItem, "synthetic" | "redacted" | "isError" | "error">;

export const BLOCK_HANDLERS = [
  handler(
    "assistant_text",
    { ...BLOCK, synthetic: optional(flag), is_error: optional(flag), error: optional(text) },
    (state, message) =>
      applyBlock(state, "text", message, () => {
        const { synthetic, is_error: isError, error } = message;
        return present({ synthetic, isError, error });
      }),
  ),
  handler("thinking_text", { ...BLOCK, redacted: optional(flag) }, (state, message) =>
    applyBlock(state, "thinking", message, () => present({ redacted: message.redacted })),
  ),
  handler(
    "message_retracted",
    { msg_id: text, block_index: optional(number) },
    (state, message) => {
      const { parent_tool_use_id: agent, msg_id } = message;
      const position = newestWhere(state, (entry) =>
        itemsIn(entry, agent).some((item) => isOfMessage(item, msg_id)),
      );
      if (position === undefined) return state;
      return changeList(state, { ...position, agent }, (items) => withoutBlocks(items, message));
    },
  ),
  handler(
    "message_complete",
    { msg_id: text, stop_reason: text, context: optional(object) },
    (before, message) => {
      const { parent_tool_use_id: agent, msg_id, stop_reason: stopReason, context } = message;
      const state = context === undefined ? before : { ...before, context };
      const position = newestWhere(state, (entry) =>
        itemsIn(entry, agent).some((item) => isOfMessage(item, msg_id)),
      );
      if (position === undefined) return state;
      return changeList(state, { ...position, agent }, (items) => {
        const index = items.findLastIndex((item) => isOfMessage(item, msg_id));
        const last = items[index];
        return last === undefined || !isOfMessage(last, msg_id)
          ? items
          : replaced(items, index, { ...last, stopReason });
      });
    },
  ),
] as const;

function applyBlock(
  state: ReducedSession,
  kind: BlockItem["kind"],
  message: BlockMessage,
  marks: () => Marks,
): ReducedSession {
  const [opened, position] = listFor(state, message);
  const { msg_id: msgId, block_index: blockIndex, status } = message;
  const key = `${msgId}:${blockIndex}`;
  return changeList(opened, position, (list) => {
    const items = withoutRetry(list);
    const index = indexOfKey(items, key);
    const known = items[index];
    const whole = (): BlockItem => ({
      ...{ kind, key, msgId, blockIndex, ...contentOf(message) },
      ...marks(),
    });
    if (known === undefined) return [...items, whole()];
    if (!isBlock(known)) return items;
    const isEnd = status !== "partial" && status !== "abandoned";
    return replaced(items, index, isEnd ? whole() : continued(known, message));
  });
}

function contentOf({
  status,
  text: content = "",
}: BlockMessage): Pick<BlockItem, "text" | "status"> {
  if (status === "partial") return { text: content, status: "streaming" };
  return { text: content, status: status === "abandoned" ? "abandoned" : "complete" };
}

/** An abandoned block keeps its text. */
function continued(known: BlockItem, { status, text: delta = "" }: BlockMessage): BlockItem {
  if (status === "abandoned") return { ...known, status };
  // A delta after the end repeats text that the block has.
  return known.status === "streaming" ? { ...known, text: known.text + delta } : known;
}

function isBlock(item: TranscriptItem): item is BlockItem {
  return item.kind === "text" || item.kind === "thinking";
}

function isOfMessage(item: TranscriptItem, msgId: string): item is BlockItem | ToolItem {
  return "msgId" in item && item.msgId === msgId;
}

function withoutBlocks(
  items: Items,
  { msg_id, block_index }: { readonly msg_id: string; readonly block_index?: number | undefined },
): Items {
  return kept(
    items,
    (item) =>
      !isOfMessage(item, msg_id) || (block_index !== undefined && item.blockIndex !== block_index),
  );
}
