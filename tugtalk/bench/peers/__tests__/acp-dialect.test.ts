/** What the lines of the Agent Client Protocol mean to the comparison, and what its host says. */
import { expect, test } from "bun:test";
import { ACP_DIALECT } from "../acp-dialect.ts";

const { read, message, allow } = ACP_DIALECT;

test("the answer to the second line of the host names the session, and messages are for that one", () => {
  const id = ACP_DIALECT.opening[1]?.["id"];
  expect(read({ jsonrpc: "2.0", id, result: { sessionId: "a" } })).toEqual({
    kind: "session",
    id: "a",
  });
  expect(message({ text: "Hello", session: "a" })).toMatchObject({
    params: {
      sessionId: "a",
      prompt: [{ type: "text", text: "Hello" }],
    },
  });
});

test("a chunk of the agent's message is a piece of text, and other news of the session are none", () => {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hel" } };
  expect(read({ method: "session/update", params: { update } })).toEqual({
    kind: "piece",
    text: "Hel",
  });
  const usage = { sessionUpdate: "usage_update", used: 1 };
  expect(read({ method: "session/update", params: { update: usage } })).toBeUndefined();
});

test("a prompt is allowed under the number of the request, of which the agent counts from 0 on", () => {
  const params = { toolCall: { rawInput: { file_path: "/a" } } };
  const prompt = { id: 0, input: { file_path: "/a" } };
  expect(read({ id: 0, method: "session/request_permission", params })).toEqual({
    kind: "prompt",
    prompt,
  });
  expect(allow(prompt)).toMatchObject({ id: 0, result: { outcome: { optionId: "allow-once" } } });
});

test("the answer to a message ends the turn", () => {
  const { id } = message({ text: "Hello", session: "a" });
  expect(read({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } })).toEqual({
    kind: "end",
    text: "",
  });
});
