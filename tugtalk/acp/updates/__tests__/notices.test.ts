/** The updates beside the conversation, from captured messages: as notices, or as marked texts. */
import { expect, test } from "bun:test";
import type { OutboundDraft } from "../../../src/types.ts";
import { readCapture } from "../../../testing/captures/capture-files.ts";
import { playCapture } from "../../../testing/captures/capture-run.ts";
import { clientFeatures } from "../../client-features.ts";
import { allUpdates } from "./support/message-updates.ts";

const ANNOUNCED = clientFeatures({ session: { notices: {}, compaction: {} } });

async function messagesOf(capture: string) {
  return (await playCapture(await readCapture(capture))) as readonly OutboundDraft[];
}

test("retries and the model that takes over are notices, or marked texts", async () => {
  const messages = await messagesOf("2.1.330/fallback_model_529");
  const titles = allUpdates(messages, ANNOUNCED).flatMap((update) =>
    update.sessionUpdate === "notice" ? [`${update.severity}: ${update.title}`] : [],
  );
  expect(titles).toEqual([
    "warning: The API failed (overloaded, status 529); retry 1 of 10 follows in 0.6 s",
    "warning: The API failed (overloaded, status 529); retry 2 of 10 follows in 1.1 s",
    "warning: The model claude-sonnet-5-5 answers in place of claude-opus-5-5",
  ]);
  const marked = allUpdates(messages).filter(
    ({ _meta }) => Object(_meta?.["tugtalk"])["notice"] === "warning",
  );
  expect(marked.map(({ sessionUpdate }) => sessionUpdate)).toEqual(
    titles.map(() => "agent_message_chunk"),
  );
});

test("an MCP server that fails is a notice once", async () => {
  const messages = await messagesOf("2.1.330/tool_mcp_bad_server");
  const again = [...messages, ...messages.filter(({ type }) => type === "system_metadata")];
  const notices = allUpdates(again, ANNOUNCED).filter(
    ({ sessionUpdate }) => sessionUpdate === "notice",
  );
  expect(notices).toEqual([
    { sessionUpdate: "notice", severity: "warning", title: "The MCP server bad did not start" },
  ]);
});

const COMPACTIONS = [
  ["2.1.330/auto_compact", ["in_progress", "completed"]],
  ["2.1.330/slash_compact_then", ["in_progress", "completed"]],
  ["2.1.38/slash_compact_then", ["in_progress", "completed"]],
  ["2.1.330/compact_interrupt", ["in_progress", "failed"]],
] as const;

test.each([...COMPACTIONS])("a compaction begins and ends once: %s", async (capture, expected) => {
  const messages = await messagesOf(capture);
  const updates = allUpdates(messages, ANNOUNCED).flatMap((update) =>
    update.sessionUpdate === "compaction_update" ? [update.status] : [],
  );
  const calls = allUpdates(messages).flatMap((update) =>
    "toolCallId" in update && update.toolCallId === "compaction-1" ? [update.status] : [],
  );
  expect([updates, calls]).toEqual([[...expected], [...expected]]);
});

test("a message that ACP has no form for is sent whole to a client that knows it, and to no other", async () => {
  const messages = await messagesOf("2.1.330/text");
  const all = clientFeatures({ _meta: { tugtalk: { messages: true } } });
  const whole = allUpdates(messages, all).flatMap(({ _meta }) => {
    const { message } = Object(_meta?.["tugtalk"]);
    return message === undefined ? [] : [message.type];
  });
  expect(whole).toContain("message_status");
  expect(JSON.stringify(allUpdates(messages))).not.toContain("message_status");
});

test("the title is the first prompt of a new conversation, then the stored one, each sent once", async () => {
  const messages = await messagesOf("2.1.330/multi_turn");
  const stored: OutboundDraft = { type: "session_title_changed", title: "Stored" };
  const titles = allUpdates([...messages, stored, stored]).flatMap((update) =>
    update.sessionUpdate === "session_info_update" ? (update.title ?? []) : [],
  );
  const first = messages.find((message) => message.type === "user_text" && message.kind === "host");
  expect(titles).toEqual([Object(first)["text"], "Stored"]);
});

test("the usage is sent once for each change, with the size of the context from the end of the first turn", async () => {
  const messages = await messagesOf("2.1.330/multi_turn");
  const usages = allUpdates(messages).filter(
    ({ sessionUpdate }) => sessionUpdate === "usage_update",
  );
  const costs = messages.flatMap((message) =>
    message.type === "cost_update" ? [Number(message.total_cost_usd)] : [],
  );
  expect(new Set(costs).size).toBe(3);
  expect(usages).toEqual(
    costs.map((amount) => ({
      sessionUpdate: "usage_update",
      used: 2000,
      size: 1_000_000,
      cost: { amount, currency: "USD" },
    })),
  );
});

test("the usage is sent after a call of the model in the middle of a turn, with the cost so far", async () => {
  const messages = await messagesOf("2.1.330/multi_turn");
  const [first] = messages.filter(({ type }) => type === "cost_update");
  const context = { used_tokens: 3000, model: "claude-opus-5-5", window_tokens: 1_000_000 };
  const call: OutboundDraft = {
    type: "message_complete",
    msg_id: "m",
    stop_reason: "tool_use",
    context,
  };
  const [before, after] = allUpdates([Object(first), call]);
  expect(after).toEqual({ ...Object(before), used: 3000 });
});
