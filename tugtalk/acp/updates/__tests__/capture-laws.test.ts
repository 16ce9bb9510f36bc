/** Every guarantee about updates, over the whole of each captured conversation. */
import { expect, test } from "bun:test";
import type { OutboundDraft } from "../../../src/types.ts";
import { CallLaw, chunkOf, isAnyTime } from "../../../testing/acp/update-laws.ts";
import { CAPTURES, readCapture } from "../../../testing/captures/capture-files.ts";
import { playCapture } from "../../../testing/captures/capture-run.ts";
import { frameProblem } from "../../../testing/drivers/acp-frames.ts";
import { clientFeatures } from "../../client-features.ts";
import type { Update } from "../update-state.ts";
import { type MessageUpdates, updatesByMessage } from "./support/message-updates.ts";

const PLAIN = clientFeatures({});
const ALL = clientFeatures({
  session: { notices: {}, compaction: {} },
  subagents: {},
  _meta: { terminal_output: true, tugtalk: { messages: true } },
});

test.each(CAPTURES)("the updates of %s keep every law", async (capture) => {
  const messages = (await playCapture(await readCapture(capture))) as readonly OutboundDraft[];
  for (const [features, schema] of [
    [PLAIN, "stable"],
    [ALL, "unstable"],
  ] as const) {
    const all = updatesByMessage(messages, features);
    const updates = all.flatMap((each) => each.updates);
    expect(updates.flatMap((update) => frameFault(update, schema))).toEqual([]);
    expect(callFaults(updates)).toEqual([]);
    expect(chunkFaults(all)).toEqual([]);
    expect(lateUpdates(all)).toEqual([]);
  }
});

function frameFault(update: Update, schema: "stable" | "unstable"): string[] {
  const params = { sessionId: "s", update };
  const problem = frameProblem({ jsonrpc: "2.0", method: "session/update", params }, schema);
  return problem === undefined ? [] : [problem];
}

function callFaults(updates: readonly Update[]): string[] {
  const law = new CallLaw();
  return [...updates.flatMap((update) => law.take(update)), ...law.open];
}

/** No chunk is empty, and the joined chunks of a block are the block. */
function chunkFaults(all: readonly MessageUpdates[]): string[] {
  const joined = new Map<unknown, string>();
  return all.flatMap(({ message, updates }) => {
    const chunks = updates.flatMap(chunkOf);
    for (const { id, text } of chunks) joined.set(id, (joined.get(id) ?? "") + text);
    const empty = chunks.some(({ text }) => text === "") ? ["an empty chunk"] : [];
    return [...empty, ...blockFault(message, joined)];
  });
}

function blockFault(message: OutboundDraft, joined: ReadonlyMap<unknown, string>): string[] {
  if (message.type !== "assistant_text" && message.type !== "thinking_text") return [];
  if (message.status !== "complete" || !message.text) return [];
  const text = joined.get(`${message.msg_id}/${message.block_index}`);
  return text === message.text ? [] : [`not the block: ${text}`];
}

/** Updates of the conversation after the answer, which no mark sets apart. */
function lateUpdates(all: readonly MessageUpdates[]): unknown[] {
  let isOpen = true;
  return all.flatMap(({ message, updates }) => {
    if (message.type === "turn_started" && message.trigger === "user") isOpen = true;
    const late = isOpen ? [] : updates.filter((update) => !isAnyTime(update));
    const isEnd = message.type === "turn_complete" || message.type === "turn_cancelled";
    if (isEnd && message.trigger === "user") isOpen = false;
    return late;
  });
}
