/** Turns that the model does not end well, with a real `claude`. */
import { expect } from "bun:test";
import type { MessageReply } from "../../simulator/reply.ts";
import { AcpAgent } from "../../testing/drivers/acp-agent.ts";
import type { RealPlace } from "../../testing/real/real-session.ts";
import { realTests } from "../../testing/real/real-tests.ts";

const test = realTests("2.1.330");

/** An agent with one session, whose model is cut off so often that Claude does not go on by itself. */
async function start({ claude, home, api }: RealPlace, stopReason: string, times: number) {
  const agent = new AcpAgent({ claude, env: home.environment(api.url), isIsolated: true });
  await agent.initialize();
  const reply: MessageReply = { content: [{ type: "text", text: "A part." }], stopReason };
  api.script(...Array.from({ length: times }, () => reply));
  return { agent, id: await agent.open(home.project) };
}

test("an answer that is too long for the model is max_tokens, and Claude's text says so", async (place) => {
  const { agent, id } = await start(place, "max_tokens", 4);
  expect(await agent.prompt(id, "go")).toMatchObject({ result: { stopReason: "max_tokens" } });
  expect(JSON.stringify(agent.updates(id))).toContain("exceeded the 128000 output token maximum");
  expect(await agent.end()).toBe(0);
});

test("a refusal of the model is an error, since Claude keeps the prompt in the conversation", async (place) => {
  const { agent, id } = await start(place, "refusal", 2);
  const { api } = place;
  expect(await agent.prompt(id, "the refused prompt")).toMatchObject({
    error: { code: -32603, data: { tugtalk: { reason: "invalid_request" } } },
  });
  api.script("Fine.");
  expect(await agent.prompt(id, "another one")).toMatchObject({
    result: { stopReason: "end_turn" },
  });
  const { body } = api.requests.findLast(({ kind }) => kind === "main") ?? {};
  expect(JSON.stringify(body)).toContain("the refused prompt");
  expect(await agent.end()).toBe(0);
});
