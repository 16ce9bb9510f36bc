/** The context gauge, filled from captured conversations. */
import { expect, test } from "bun:test";
import { captured } from "../../../testing/captures/captured-line.ts";
import { reduceCapture, reduceEmitted } from "../../../testing/captures/reduced-capture.ts";
import { startSession } from "../../../testing/drivers/test-session.ts";
import { reduceSession } from "../../reduce-session.ts";
import { viewContext } from "../context-view.ts";

/** The answer of 2.1.197. */
const {
  response: { response: report },
} = captured("context usage 197") as { response: { response: unknown } };

test("the context gauge has the report of get_context_usage where no call was measured", async () => {
  const session = await startSession();
  session.session.handleControl({ type: "control", subtype: "get_context_usage" });
  await session.settle();
  await session.answerTo("get_context_usage", { response: report });
  const view = viewContext(reduceEmitted(session.emitted));
  expect(view).toEqual({
    model: "claude-opus-4-8[1m]",
    usedTokens: 2000,
    totalTokens: 1000000,
    percentage: 0.2,
    categories: [
      { name: "System prompt", tokens: 9872, kind: "used" },
      { name: "System tools", tokens: 986, kind: "used" },
      { name: "MCP tools", tokens: 734, kind: "used" },
      { name: "Skills", tokens: 1482, kind: "used" },
      { name: "Free space", tokens: 986926, kind: "free" },
    ],
  });
});

test("the context gauge has the tokens of the latest call and the categories of /context", async () => {
  const view = viewContext(await reduceCapture("2.1.330/slash_context"));
  expect(view).toMatchObject({ usedTokens: 2000, totalTokens: 1000000 });
  expect(view?.categories.map(({ name, kind }) => [name, kind])).toEqual([
    ["System prompt", "used"],
    ["System tools (deferred)", "deferred"],
    ["Skills", "used"],
    ["Autocompact buffer", "buffer"],
    ["Free space", "free"],
  ]);
});

test("the context gauge without /context has no categories", async () => {
  const view = viewContext(await reduceCapture("2.1.38/multi_turn"));
  expect(view).toMatchObject({ totalTokens: 200000, percentage: 1, categories: [] });
});

test("the context gauge follows the model calls of a turn, with the window of the turn before", async () => {
  const state = await reduceCapture("2.1.330/multi_turn");
  const context = { model: "claude-opus-5-5", used_tokens: 500_000 };
  const next = { type: "message_complete", msg_id: "m", stop_reason: "tool_use", context };
  const view = viewContext(reduceSession(state, next));
  expect(view).toMatchObject({ usedTokens: 500_000, totalTokens: 1_000_000, percentage: 50 });
});
