/** The laws for the updates of one conversation, in order. Pure. */
import type { Update } from "../../acp/updates/update-state.ts";
import { type Fields, fieldsOf } from "../../src/base/json.ts";

const ORDER = ["pending", "in_progress", "completed", "failed"];
const END = ORDER.indexOf("completed");

/** A call is sent once, its states only go forward, and it ends. */
export class CallLaw {
  readonly #places = new Map<string, number>();

  take(update: Update): string[] {
    if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update")
      return [];
    const { toolCallId: id, status } = update;
    const isFirst = update.sessionUpdate === "tool_call";
    const before = this.#places.get(id);
    if (isFirst !== (before === undefined)) return [`${id}: sent twice, or never`];
    const place = status == null ? before : ORDER.indexOf(status);
    this.#places.set(id, place ?? 0);
    const isForward =
      status == null || before === undefined || (before < END && Number(place) > before);
    return isForward ? [] : [`${id}: ${ORDER[Number(before)]} became ${status}`];
  }

  /** Each call with its state. */
  get states(): ReadonlyMap<string, string | undefined> {
    return new Map([...this.#places].map(([id, place]) => [id, ORDER[place]]));
  }

  /** The calls that have not ended. */
  get open(): string[] {
    return [...this.#places].filter(([, place]) => place < END).map(([id]) => `${id}: never ended`);
  }
}

/** A part of a block: the block's id and the text. A notice has no id. */
export type Chunk = { readonly id: string | undefined; readonly text: string };

/** The text of the model in an update. */
export function chunkOf(update: Update | Fields): Chunk[] {
  const { sessionUpdate, messageId, content } = fieldsOf(update);
  if (!CHUNKS.has(sessionUpdate)) return [];
  return [
    {
      id: typeof messageId === "string" ? messageId : undefined,
      text: String(fieldsOf(content)["text"]),
    },
  ];
}

const CHUNKS: ReadonlySet<unknown> = new Set(["agent_message_chunk", "agent_thought_chunk"]);

/** The updates that may come at any time. */
const ANY_TIME: ReadonlySet<string> = new Set([
  "available_commands_update",
  "config_option_update",
  "current_mode_update",
  "notice",
  "session_info_update",
  "usage_update",
]);

/** Whether an update may come while no prompt is open. */
export function isAnyTime({ sessionUpdate, _meta }: Update): boolean {
  const mark = fieldsOf(_meta?.["tugtalk"]);
  return MARKS.some((name) => name in mark) || ANY_TIME.has(sessionUpdate);
}

const MARKS = ["turnId", "background", "parentToolCallId", "notice"];
