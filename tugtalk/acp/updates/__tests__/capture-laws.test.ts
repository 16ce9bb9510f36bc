/** What a client is told of each captured conversation: every guarantee about updates, over the whole of it. */
import { expect, test } from "bun:test";
import { fieldsOf } from "../../../src/base/json.ts";
import type { OutboundDraft } from "../../../src/types.ts";
import { CAPTURES, readCapture } from "../../../testing/captures/capture-files.ts";
import { playCapture } from "../../../testing/captures/capture-run.ts";
import { frameProblem } from "../../../testing/drivers/acp-frames.ts";
import { clientFeatures } from "../../client-features.ts";
import type { Update } from "../update-state.ts";
import { type Told, tell } from "./support/told.ts";

const PLAIN = clientFeatures({});
const ALL = clientFeatures({
  session: { notices: {}, compaction: {} },
  subagents: {},
  _meta: { terminal_output: true, tugtalk: { messages: true } },
});

test.each(CAPTURES)("%s", async (capture) => {
  const messages = (await playCapture(await readCapture(capture))) as readonly OutboundDraft[];
  for (const [features, schema] of [
    [PLAIN, "stable"],
    [ALL, "unstable"],
  ] as const) {
    const told = tell(messages, features);
    const updates = told.flatMap((each) => each.updates);
    expect(updates.flatMap((update) => frameFault(update, schema))).toEqual([]);
    expect(callFaults(updates)).toEqual([]);
    expect(chunkFaults(told)).toEqual([]);
    expect(lateUpdates(told)).toEqual([]);
  }
});

function frameFault(update: Update, schema: "stable" | "unstable"): string[] {
  const params = { sessionId: "s", update };
  const problem = frameProblem({ jsonrpc: "2.0", method: "session/update", params }, schema);
  return problem === undefined ? [] : [problem];
}

const ORDER = ["pending", "in_progress", "completed", "failed"];
const END = ORDER.indexOf("completed");

/** A call is told once, its states only go forward, and it ends. */
function callFaults(updates: readonly Update[]): string[] {
  const places = new Map<string, number>();
  const faults = updates.flatMap((update) => {
    if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update")
      return [];
    const { toolCallId: id, status } = update;
    const before = places.get(id);
    const isFirst = update.sessionUpdate === "tool_call";
    if (isFirst !== (before === undefined)) return [`${id}: told twice, or never`];
    const place = status == null ? before : ORDER.indexOf(status);
    places.set(id, place ?? 0);
    const isForward =
      status == null || before === undefined || (before < END && Number(place) > before);
    return isForward ? [] : [`${id}: ${ORDER[Number(before)]} became ${status}`];
  });
  const open = [...places].filter(([, place]) => place < END).map(([id]) => `${id}: never ended`);
  return [...faults, ...open];
}

/** No chunk is empty, and those of a block joined are the block. */
function chunkFaults(told: readonly Told[]): string[] {
  const joined = new Map<unknown, string>();
  return told.flatMap(({ message, updates }) => {
    const chunks = updates.flatMap(chunkOf);
    for (const { id, text } of chunks) joined.set(id, (joined.get(id) ?? "") + text);
    const empty = chunks.some(({ text }) => text === "") ? ["an empty chunk"] : [];
    return [...empty, ...blockFault(message, joined)];
  });
}

function chunkOf(update: Update): { readonly id: unknown; readonly text: string }[] {
  if (!CHUNKS.has(update.sessionUpdate)) return [];
  const { messageId, content } = fieldsOf(update);
  return [{ id: messageId, text: String(fieldsOf(content)["text"]) }];
}

const CHUNKS: ReadonlySet<string> = new Set(["agent_message_chunk", "agent_thought_chunk"]);

function blockFault(message: OutboundDraft, joined: ReadonlyMap<unknown, string>): string[] {
  if (message.type !== "assistant_text" && message.type !== "thinking_text") return [];
  if (message.status !== "complete" || !message.text) return [];
  const text = joined.get(`${message.msg_id}/${message.block_index}`);
  return text === message.text ? [] : [`not the block: ${text}`];
}

/** What a client may be told at any time. */
const ANY_TIME: ReadonlySet<string> = new Set([
  "available_commands_update",
  "config_option_update",
  "current_mode_update",
  "notice",
  "session_info_update",
  "usage_update",
]);

/** Updates of the conversation after the answer, which no mark sets apart. */
function lateUpdates(told: readonly Told[]): unknown[] {
  let isOpen = true;
  return told.flatMap(({ message, updates }) => {
    if (message.type === "turn_started" && message.trigger === "user") isOpen = true;
    const late = isOpen ? [] : updates.filter((update) => !isMarked(update));
    const isEnd = message.type === "turn_complete" || message.type === "turn_cancelled";
    if (isEnd && message.trigger === "user") isOpen = false;
    return late;
  });
}

function isMarked({ sessionUpdate, _meta }: Update): boolean {
  const mark = fieldsOf(_meta?.["tugtalk"]);
  return MARKS.some((name) => name in mark) || ANY_TIME.has(sessionUpdate);
}

const MARKS = ["turnId", "background", "parentToolCallId", "notice"];
