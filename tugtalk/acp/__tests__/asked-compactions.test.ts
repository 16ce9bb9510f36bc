import { afterAll, expect, test } from "bun:test";
import type { OutboundDraft } from "../../src/types.ts";
import { openPastSessions } from "../../testing/drivers/past-sessions.ts";
import { AskedCompactions } from "../asked-compactions.ts";
import { KeptSessions } from "../kept-sessions.ts";
import { PastSessions } from "../past-sessions.ts";

const past = openPastSessions();
afterAll(() => past.remove());

/** The prompts and compactions in some messages, in the order in which they are sent. */
function orderOf(messages: readonly OutboundDraft[]): string[] {
  const compactions = new AskedCompactions();
  const sent = messages.flatMap((message) => compactions.take(message));
  return [...sent, ...compactions.rest()].flatMap((message) => {
    if (message.type === "compact_boundary") return [`${message.trigger} compaction`];
    return message.type === "user_text" ? [`${message.kind}: ${message.text.slice(0, 20)}`] : [];
  });
}

test("the command /compact of a captured transcript comes before the compaction that it asks for", async () => {
  const id = past.place("2.1.330/compact_long");
  const sessions = new PastSessions(new KeptSessions("/nowhere"), past.configDir);
  const pages = await Array.fromAsync(await sessions.transcript({ id }, past.project).pages());
  const order = orderOf(pages.flat());
  const at = order.indexOf("manual compaction");
  expect(order[at - 1]).toBe("history: /compact");
  expect(order[at + 1]).toStartWith("compact_summary: ");
});

const prompt = (text: string): OutboundDraft => ({ type: "user_text", kind: "history", text });
const boundary = (trigger: "manual" | "auto"): OutboundDraft => ({
  type: "compact_boundary",
  trigger,
});

test.each([
  [
    "a compaction of Claude's own stays before the next prompt",
    [boundary("auto"), prompt("/compact")],
    ["auto compaction", "history: /compact"],
  ],
  [
    "one whose command is missing stays before another prompt",
    [boundary("manual"), prompt("/compactor")],
    ["manual compaction", "history: /compactor"],
  ],
  [
    "the second of two comes behind its own command",
    [boundary("manual"), boundary("manual"), prompt("/compact in short")],
    ["manual compaction", "history: /compact in short", "manual compaction"],
  ],
  ["one that is the last message is sent", [boundary("manual")], ["manual compaction"]],
])("%s", (_name, messages, expected) => {
  expect(orderOf(messages)).toEqual(expected);
});
